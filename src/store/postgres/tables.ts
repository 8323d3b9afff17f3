import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { attempts } from './attempt-tables.ts';
import { bytes, freeText, whole } from './columns.ts';

/*
 * What the migrations have made, for typed queries; a test holds both together. Instants are milliseconds since 1970,
 * money is whole rupiah.
 */

export const budgets = pgTable('budgets', {
  caller: text('caller').primaryKey().notNull(),
  limit: whole('spending_limit'),
  spent: whole('spent').notNull(),
  reserved: whole('reserved').notNull(),
});

/** The books: replaying a caller's lines gives its budgets row. */
export const budgetEntries = pgTable(
  'budget_entries',
  {
    id: whole('id').primaryKey().generatedByDefaultAsIdentity(),
    caller: text('caller').notNull(),
    attemptId: text('attempt_id').references(() => attempts.id),
    orderId: whole('order_id'),
    kind: text('kind').notNull(),
    amount: whole('amount').notNull(),
    /** Why: reserve, outcome, charge, ended, receipt. */
    note: text('note').notNull(),
    at: whole('at').notNull(),
  },
  (table) => [
    index('budget_entries_of').on(table.caller, table.id),
    // No order is paid for twice, and none gives its money back twice for the same reason.
    uniqueIndex('budget_entries_once')
      .on(table.orderId, table.kind, table.note)
      .where(sql`order_id is not null`),
  ],
);

export const orders = pgTable(
  'orders',
  {
    id: whole('id').primaryKey().notNull(),
    owner: text('owner'),
    attemptId: text('attempt_id').references(() => attempts.id),
    reactivatedFromId: whole('reactivated_from_id'),
    status: text('status').notNull(),
    phoneNumber: freeText('phone_number'),
    amount: whole('amount'),
    productId: whole('product_id'),
    catalogProductId: whole('catalog_product_id'),
    operatorId: whole('operator_id'),
    operatorName: freeText('operator_name'),
    otpCode: freeText('otp_code'),
    otpMessage: freeText('otp_message'),
    smsRevision: whole('sms_revision').notNull(),
    otpReceivedAt: whole('otp_received_at'),
    expiresAt: whole('expires_at'),
    failedReason: freeText('failed_reason'),
    canceledAt: whole('canceled_at'),
    canFinish: boolean('can_finish').notNull(),
    canResend: boolean('can_resend').notNull(),
    canCancel: boolean('can_cancel').notNull(),
    canReplace: boolean('can_replace').notNull(),
    canReactivate: boolean('can_reactivate').notNull(),
    resendAvailableAt: whole('resend_available_at'),
    cancelAvailableAt: whole('cancel_available_at'),
    replaceAvailableAt: whole('replace_available_at'),
    createdAt: whole('created_at').notNull(),
    asOf: whole('as_of').notNull(),
    version: whole('version').notNull(),
  },
  (table) => [
    index('orders_of_attempt').on(table.attemptId, table.id).where(sql`attempt_id is not null`),
    index('orders_open').on(table.id).where(sql`status in ('ACTIVE', 'OTP_RECEIVED')`),
    index('orders_by_creation').on(table.createdAt, table.id).where(sql`amount is not null`),
    index('orders_by_status').on(table.status, table.createdAt, table.id).where(sql`amount is not null`),
    index('orders_of_owner').on(table.owner, table.createdAt, table.id).where(sql`amount is not null`),
    index('orders_of_owner_by_status')
      .on(table.owner, table.status, table.createdAt, table.id)
      .where(sql`amount is not null`),
    // A text of any length may stand for a number, and an index takes 2,700 bytes.
    index('orders_by_phone').on(sql`left(phone_number, 64)`).where(sql`amount is not null`),
  ],
);

/** One row for each version of an order. */
export const orderChanges = pgTable(
  'order_changes',
  {
    orderId: whole('order_id')
      .notNull()
      .references(() => orders.id),
    version: whole('version').notNull(),
    status: text('status').notNull(),
    canFinish: boolean('can_finish').notNull(),
    canResend: boolean('can_resend').notNull(),
    canCancel: boolean('can_cancel').notNull(),
    canReplace: boolean('can_replace').notNull(),
    canReactivate: boolean('can_reactivate').notNull(),
    resendAvailableAt: whole('resend_available_at'),
    cancelAvailableAt: whole('cancel_available_at'),
    replaceAvailableAt: whole('replace_available_at'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.version] })],
);

/**
 * Accepted messages. `sequence` is given when operators may see the message, `owner_sequence` when its owner may: a
 * message accepted before its order was completed or adopted joins each follower's stream at the end, where no
 * cursor has passed yet. Both are drawn from one rising counter, and are equal where both begin at once.
 */
export const smsRevisions = pgTable(
  'sms_revisions',
  {
    orderId: whole('order_id')
      .notNull()
      .references(() => orders.id),
    revision: whole('revision').notNull(),
    message: freeText('message').notNull(),
    otpCode: freeText('otp_code'),
    source: text('source').notNull(),
    receivedAt: whole('received_at').notNull(),
    sequence: whole('sequence'),
    owner: text('owner'),
    ownerSequence: whole('owner_sequence'),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.revision] }),
    uniqueIndex('sms_revisions_of_all').on(table.sequence).where(sql`sequence is not null`),
    uniqueIndex('sms_revisions_of_owner').on(table.owner, table.ownerSequence).where(sql`owner is not null`),
  ],
);

export const orderActions = pgTable(
  'order_actions',
  {
    orderId: whole('order_id').notNull(),
    action: text('action').notNull(),
    token: text('token').notNull(),
    leaseUntil: whole('lease_until').notNull(),
    /** Null while it runs. */
    outcome: text('outcome'),
    refundAmount: whole('refund_amount'),
    newBalance: whole('new_balance'),
    resent: whole('resent'),
    afterRevision: whole('after_revision'),
    httpStatus: whole('http_status'),
    code: freeText('code'),
    latestStatus: text('latest_status'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.action] })],
);

export const inbox = pgTable(
  'inbox',
  {
    id: whole('id').primaryKey().generatedByDefaultAsIdentity(),
    dedupeKey: freeText('dedupe_key').notNull(),
    event: freeText('event').notNull(),
    orderId: whole('order_id'),
    revision: whole('revision'),
    body: bytes('body').notNull(),
    /** PENDING, SETTLED, DEAD or REJECTED. */
    state: text('state').notNull(),
    receivedAt: whole('received_at').notNull(),
    tries: whole('tries').notNull(),
    nextTryAt: whole('next_try_at').notNull(),
    settledAt: whole('settled_at'),
  },
  (table) => [
    uniqueIndex('inbox_by_key').on(table.dedupeKey),
    index('inbox_pending').on(table.id, table.nextTryAt).where(sql`state = 'PENDING'`),
    index('inbox_of_order').on(table.orderId, table.revision),
    index('inbox_dead').on(table.id).where(sql`state = 'DEAD'`),
  ],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey().notNull(),
    hash: text('hash').notNull(),
    caller: text('caller').notNull(),
    /** Separated by blanks. */
    scopes: text('scopes').notNull(),
    createdAt: whole('created_at').notNull(),
    expiresAt: whole('expires_at'),
    revokedAt: whole('revoked_at'),
    lastUsedAt: whole('last_used_at'),
  },
  (table) => [uniqueIndex('api_keys_by_hash').on(table.hash)],
);

export const seenProducts = pgTable(
  'seen_products',
  {
    id: whole('id').primaryKey().notNull(),
    catalogProductId: whole('catalog_product_id'),
    name: freeText('name'),
    countryId: whole('country_id'),
    platformId: whole('platform_id'),
    operatorId: whole('operator_id'),
    operatorName: freeText('operator_name'),
    available: whole('available').notNull(),
    price: whole('price').notNull(),
    active: boolean('active').notNull(),
    asOf: whole('as_of').notNull(),
  },
  (table) => [index('seen_products_by_catalog_id').on(table.catalogProductId)],
);

/** Numbered from `counters`, whose row is locked to the commit: a follower's cursor passes none that commits late. */
export const balances = pgTable('balances', {
  sequence: whole('sequence').primaryKey().notNull(),
  currency: freeText('currency').notNull(),
  amount: whole('amount').notNull(),
  asOf: whole('as_of').notNull(),
});

/**
 * How many rows of a list there are, by owner and state: counting a million for each page would hold up everybody. Each
 * sum is kept in parts, by `slot`: writers on different connections need not wait for each other to commit.
 */
export const listTotals = pgTable(
  'list_totals',
  {
    list: text('list').notNull(),
    /** Empty for orders made elsewhere. */
    owner: text('owner').notNull(),
    state: text('state').notNull(),
    slot: whole('slot').notNull(),
    total: whole('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.owner, table.state, table.slot] })],
);

/** A row is locked from the drawing of a number to the commit, so that numbers become visible in their order. */
export const counters = pgTable('counters', {
  name: text('name').primaryKey().notNull(),
  value: whole('value').notNull(),
});

/** What the database keeps about itself. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey().notNull(),
  value: text('value').notNull(),
});

/** What a move from another store has brought so far; empty where there was none. */
export const copiedTables = pgTable('copied_tables', {
  name: text('name').primaryKey().notNull(),
  /** Of the table as it was at its source, when the copy was begun. */
  checksum: text('checksum').notNull(),
  rows: whole('rows').notNull(),
  /** The key of the last row brought, as JSON; null before the first. */
  last: text('last'),
  verified: boolean('verified').notNull(),
});
