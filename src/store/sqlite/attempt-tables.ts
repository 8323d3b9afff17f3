import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { freeText } from './columns.ts';

/* What the migrations have made, for typed queries: paid attempts. Units as in tables.ts. */

export const attempts = sqliteTable(
  'attempts',
  {
    id: text('id').primaryKey().notNull(),
    caller: text('caller').notNull(),
    businessJobId: text('business_job_id').notNull(),
    /** JSON (request-json.ts). */
    request: text('request').notNull(),
    endpoint: text('endpoint').notNull(),
    body: freeText('body').notNull(),
    fingerprint: text('fingerprint').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    catalogProductId: integer('catalog_product_id'),
    quantity: integer('quantity').notNull(),
    state: text('state').notNull(),
    reason: text('reason'),
    rejectionCode: text('rejection_code'),
    rejectionStatus: integer('rejection_status'),
    failedCount: integer('failed_count').notNull(),
    sends: integer('sends').notNull(),
    version: integer('version').notNull(),
    startedAt: integer('started_at').notNull(),
    reviewThresholdAt: integer('review_threshold_at').notNull(),
    replayDeadlineAt: integer('replay_deadline_at').notNull(),
    nextAttemptAt: integer('next_attempt_at'),
    leaseUntil: integer('lease_until'),
    claimToken: text('claim_token'),
    /** When it asks for a sender: its lease's end, or its next time; null in a final state. */
    dueAt: integer('due_at'),
    reserved: integer('reserved').notNull(),
  },
  (table) => [
    uniqueIndex('attempts_by_job').on(table.caller, table.businessJobId),
    uniqueIndex('attempts_by_key').on(table.idempotencyKey),
    index('attempts_by_job_id').on(table.businessJobId),
    index('attempts_due').on(table.dueAt, table.id).where(sql`due_at is not null`),
    index('attempts_by_start').on(table.startedAt, table.id),
    index('attempts_by_state').on(table.state, table.startedAt, table.id),
    index('attempts_of_caller').on(table.caller, table.startedAt, table.id),
    index('attempts_of_caller_by_state').on(table.caller, table.state, table.startedAt, table.id),
  ],
);

export const attemptEvents = sqliteTable(
  'attempt_events',
  {
    attemptId: text('attempt_id')
      .notNull()
      .references(() => attempts.id),
    version: integer('version').notNull(),
    state: text('state').notNull(),
    reason: text('reason'),
    httpStatus: integer('http_status'),
    errorCode: freeText('error_code'),
    note: freeText('note'),
    sends: integer('sends').notNull(),
    nextAttemptAt: integer('next_attempt_at'),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.attemptId, table.version] })],
);

/** Answers that came after their sender had lost its claim: kept for a person, and acted on by nothing. */
export const attemptEvidence = sqliteTable(
  'attempt_evidence',
  {
    id: integer('id').primaryKey({ autoIncrement: true }).notNull(),
    attemptId: text('attempt_id')
      .notNull()
      .references(() => attempts.id),
    claimVersion: integer('claim_version').notNull(),
    reply: text('reply').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [index('attempt_evidence_of').on(table.attemptId)],
);
