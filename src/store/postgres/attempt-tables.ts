import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { freeText, whole } from './columns.ts';

/* What the migrations have made, for typed queries: paid attempts. Units as in tables.ts. */

export const attempts = pgTable(
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
    catalogProductId: whole('catalog_product_id'),
    quantity: whole('quantity').notNull(),
    state: text('state').notNull(),
    reason: text('reason'),
    rejectionCode: text('rejection_code'),
    rejectionStatus: whole('rejection_status'),
    failedCount: whole('failed_count').notNull(),
    sends: whole('sends').notNull(),
    version: whole('version').notNull(),
    startedAt: whole('started_at').notNull(),
    reviewThresholdAt: whole('review_threshold_at').notNull(),
    replayDeadlineAt: whole('replay_deadline_at').notNull(),
    nextAttemptAt: whole('next_attempt_at'),
    leaseUntil: whole('lease_until'),
    claimToken: text('claim_token'),
    /** When it asks for a sender: its lease's end, or its next time; null in a final state. */
    dueAt: whole('due_at'),
    reserved: whole('reserved').notNull(),
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

export const attemptEvents = pgTable(
  'attempt_events',
  {
    attemptId: text('attempt_id')
      .notNull()
      .references(() => attempts.id),
    version: whole('version').notNull(),
    state: text('state').notNull(),
    reason: text('reason'),
    httpStatus: whole('http_status'),
    errorCode: freeText('error_code'),
    note: freeText('note'),
    sends: whole('sends').notNull(),
    nextAttemptAt: whole('next_attempt_at'),
    at: whole('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.attemptId, table.version] })],
);

/** Answers that came after their sender had lost its claim: kept for a person, and acted on by nothing. */
export const attemptEvidence = pgTable(
  'attempt_evidence',
  {
    id: whole('id').primaryKey().generatedByDefaultAsIdentity(),
    attemptId: text('attempt_id')
      .notNull()
      .references(() => attempts.id),
    claimVersion: whole('claim_version').notNull(),
    reply: text('reply').notNull(),
    at: whole('at').notNull(),
  },
  (table) => [index('attempt_evidence_of').on(table.attemptId)],
);
