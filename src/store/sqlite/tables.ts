import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { attempts } from './attempt-tables.ts';
import { freeText } from './columns.ts';

/*
 * What the migrations have made, for typed queries; a test holds both together. Instants are milliseconds since 1970,
 * money is whole rupiah.
 */

export const budgets = sqliteTable('budgets', {
  caller: text('caller').primaryKey().notNull(),
  limit: integer('spending_limit'),
  spent: integer('spent').notNull(),
  reserved: integer('reserved').notNull(),
});

/** The books: replaying a caller's lines gives its budgets row. */
export const budgetEntries = sqliteTable(
  'budget_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }).notNull(),
    caller: text('caller').notNull(),
    attemptId: text('attempt_id').references(() => attempts.id),
    orderId: integer('order_id'),
    kind: text('kind').notNull(),
    amount: integer('amount').notNull(),
    /** Why: reserve, outcome, charge, ended, receipt. */
    note: text('note').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [
    index('budget_entries_of').on(table.caller, table.id),
    // No order is paid for twice, and none gives its money back twice for the same reason.
    uniqueIndex('budget_entries_once')
      .on(table.orderId, table.kind, table.note)
      .where(sql`order_id is not null`),
  ],
);

export const orders = sqliteTable(
  'orders',
  {
    id: integer('id').primaryKey().notNull(),
    owner: text('owner'),
    attemptId: text('attempt_id').references(() => attempts.id),
    reactivatedFromId: integer('reactivated_from_id'),
    status: text('status').notNull(),
    phoneNumber: freeText('phone_number'),
    amount: integer('amount'),
    productId: integer('product_id'),
    catalogProductId: integer('catalog_product_id'),
    operatorId: integer('operator_id'),
    operatorName: freeText('operator_name'),
    otpCode: freeText('otp_code'),
    otpMessage: freeText('otp_message'),
    smsRevision: integer('sms_revision').notNull(),
    otpReceivedAt: integer('otp_received_at'),
    expiresAt: integer('expires_at'),
    failedReason: freeText('failed_reason'),
    canceledAt: integer('canceled_at'),
    canFinish: integer('can_finish', { mode: 'boolean' }).notNull(),
    canResend: integer('can_resend', { mode: 'boolean' }).notNull(),
    canCancel: integer('can_cancel', { mode: 'boolean' }).notNull(),
    canReplace: integer('can_replace', { mode: 'boolean' }).notNull(),
    canReactivate: integer('can_reactivate', { mode: 'boolean' }).notNull(),
    resendAvailableAt: integer('resend_available_at'),
    cancelAvailableAt: integer('cancel_available_at'),
    replaceAvailableAt: integer('replace_available_at'),
    createdAt: integer('created_at').notNull(),
    asOf: integer('as_of').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    index('orders_of_attempt').on(table.attemptId, table.id).where(sql`attempt_id is not null`),
    index('orders_open').on(table.id, table.phoneNumber).where(sql`status in ('ACTIVE', 'OTP_RECEIVED')`),
    index('orders_by_creation').on(table.createdAt, table.id).where(sql`amount is not null`),
    index('orders_by_status').on(table.status, table.createdAt, table.id).where(sql`amount is not null`),
    index('orders_of_owner').on(table.owner, table.createdAt, table.id).where(sql`amount is not null`),
    index('orders_of_owner_by_status')
      .on(table.owner, table.status, table.createdAt, table.id)
      .where(sql`amount is not null`),
    index('orders_by_phone').on(table.phoneNumber).where(sql`amount is not null`),
  ],
);

/** One row for each version of an order. */
export const orderChanges = sqliteTable(
  'order_changes',
  {
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    version: integer('version').notNull(),
    status: text('status').notNull(),
    canFinish: integer('can_finish', { mode: 'boolean' }).notNull(),
    canResend: integer('can_resend', { mode: 'boolean' }).notNull(),
    canCancel: integer('can_cancel', { mode: 'boolean' }).notNull(),
    canReplace: integer('can_replace', { mode: 'boolean' }).notNull(),
    canReactivate: integer('can_reactivate', { mode: 'boolean' }).notNull(),
    resendAvailableAt: integer('resend_available_at'),
    cancelAvailableAt: integer('cancel_available_at'),
    replaceAvailableAt: integer('replace_available_at'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.version] })],
);

/**
 * Accepted messages. `sequence` is given when operators may see the message, `owner_sequence` when its owner may: a
 * message accepted before its order was completed or adopted joins each follower's stream at the end, where no
 * cursor has passed yet. Both are drawn from one rising counter, and are equal where both begin at once.
 */
export const smsRevisions = sqliteTable(
  'sms_revisions',
  {
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    revision: integer('revision').notNull(),
    message: freeText('message').notNull(),
    otpCode: freeText('otp_code'),
    source: text('source').notNull(),
    receivedAt: integer('received_at').notNull(),
    sequence: integer('sequence'),
    owner: text('owner'),
    ownerSequence: integer('owner_sequence'),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.revision] }),
    uniqueIndex('sms_revisions_of_all').on(table.sequence).where(sql`sequence is not null`),
    uniqueIndex('sms_revisions_of_owner').on(table.owner, table.ownerSequence).where(sql`owner is not null`),
  ],
);

export const orderActions = sqliteTable(
  'order_actions',
  {
    orderId: integer('order_id').notNull(),
    action: text('action').notNull(),
    token: text('token').notNull(),
    leaseUntil: integer('lease_until').notNull(),
    /** Null while it runs. */
    outcome: text('outcome'),
    refundAmount: integer('refund_amount'),
    newBalance: integer('new_balance'),
    resent: integer('resent'),
    afterRevision: integer('after_revision'),
    httpStatus: integer('http_status'),
    code: freeText('code'),
    latestStatus: text('latest_status'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.action] })],
);

export const inbox = sqliteTable(
  'inbox',
  {
    id: integer('id').primaryKey({ autoIncrement: true }).notNull(),
    dedupeKey: freeText('dedupe_key').notNull(),
    event: freeText('event').notNull(),
    orderId: integer('order_id'),
    revision: integer('revision'),
    body: blob('body', { mode: 'buffer' }).notNull(),
    /** PENDING, SETTLED, DEAD or REJECTED. */
    state: text('state').notNull(),
    receivedAt: integer('received_at').notNull(),
    tries: integer('tries').notNull(),
    nextTryAt: integer('next_try_at').notNull(),
    settledAt: integer('settled_at'),
  },
  (table) => [
    uniqueIndex('inbox_by_key').on(table.dedupeKey),
    index('inbox_pending').on(table.id, table.nextTryAt).where(sql`state = 'PENDING'`),
    index('inbox_of_order').on(table.orderId, table.state, table.revision),
    index('inbox_dead').on(table.id).where(sql`state = 'DEAD'`),
  ],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey().notNull(),
    hash: text('hash').notNull(),
    caller: text('caller').notNull(),
    /** Separated by blanks. */
    scopes: text('scopes').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [uniqueIndex('api_keys_by_hash').on(table.hash)],
);

export const seenProducts = sqliteTable(
  'seen_products',
  {
    id: integer('id').primaryKey().notNull(),
    catalogProductId: integer('catalog_product_id'),
    name: freeText('name'),
    countryId: integer('country_id'),
    platformId: integer('platform_id'),
    operatorId: integer('operator_id'),
    operatorName: freeText('operator_name'),
    available: integer('available').notNull(),
    price: integer('price').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    asOf: integer('as_of').notNull(),
  },
  (table) => [index('seen_products_by_catalog_id').on(table.catalogProductId)],
);

export const balances = sqliteTable('balances', {
  sequence: integer('sequence').primaryKey({ autoIncrement: true }).notNull(),
  currency: freeText('currency').notNull(),
  amount: integer('amount').notNull(),
  asOf: integer('as_of').notNull(),
});

/** How many rows of a list there are, by owner and state: counting a million for each page would hold up everybody. */
export const listTotals = sqliteTable(
  'list_totals',
  {
    list: text('list').notNull(),
    /** Empty for orders made elsewhere. */
    owner: text('owner').notNull(),
    state: text('state').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.owner, table.state] })],
);

export const counters = sqliteTable('counters', {
  name: text('name').primaryKey().notNull(),
  value: integer('value').notNull(),
});

/** What the database keeps about itself. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey().notNull(),
  value: text('value').notNull(),
});
