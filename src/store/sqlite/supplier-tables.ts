import { sql } from 'drizzle-orm';
import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { freeText } from './columns.ts';

/* What the migrations have made, for typed queries: the supplier side. */

export const supplierOrders = sqliteTable(
  'supplier_orders',
  {
    id: text('id').primaryKey().notNull(),
    quantity: integer('quantity').notNull(),
    status: text('status').notNull(),
    paymentStatus: text('payment_status'),
    productType: text('product_type'),
    entityType: freeText('entity_type'),
    subCategory: freeText('sub_category'),
    deliveredCount: integer('delivered_count').notNull(),
    /** Rises when a delivery settles or the count is corrected: what a plan was made from. */
    linesVersion: integer('lines_version').notNull(),
    lastProcessTime: integer('last_process_time'),
    renew: integer('renew', { mode: 'boolean' }).notNull(),
    externalId: freeText('external_id'),
    externalPrice: freeText('external_price'),
    createdAt: integer('created_at'),
    /** When it was first seen in processing without a claim. */
    seenProcessingAt: integer('seen_processing_at'),
    claimedAt: integer('claimed_at'),
    claimedBy: text('claimed_by'),
    claimSequence: integer('claim_sequence'),
    completedAt: integer('completed_at'),
    erased: integer('erased', { mode: 'boolean' }).notNull(),
    asOf: integer('as_of').notNull(),
  },
  (table) => [
    uniqueIndex('supplier_orders_by_claim').on(table.claimSequence).where(sql`claim_sequence is not null`),
    index('supplier_orders_by_claim_time').on(table.claimedAt).where(sql`claimed_at is not null`),
    index('supplier_orders_renewing').on(table.lastProcessTime).where(sql`renew = 1`),
    index('supplier_orders_ended').on(table.completedAt).where(sql`completed_at is not null and erased = 0`),
  ],
);

/** Pulls whose answer is out. One that was answered is gone from here. */
export const supplierPulls = sqliteTable('supplier_pulls', {
  id: text('id').primaryKey().notNull(),
  startedAt: integer('started_at').notNull(),
  limitAt: integer('limit_at').notNull(),
});

export const supplierDeliveries = sqliteTable(
  'supplier_deliveries',
  {
    id: text('id').primaryKey().notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => supplierOrders.id),
    caller: text('caller').notNull(),
    state: text('state').notNull(),
    endpoint: text('endpoint').notNull(),
    /** Sealed: it holds the lines. */
    body: blob('body', { mode: 'buffer' }).notNull(),
    lines: integer('lines').notNull(),
    /** The order's delivered count when this was prepared. */
    countedBefore: integer('counted_before').notNull(),
    status: text('status').notNull(),
    attempts: integer('attempts').notNull(),
    lastError: freeText('last_error'),
    rejectionCode: text('rejection_code'),
    rejectionMessage: freeText('rejection_message'),
    externalId: freeText('external_id'),
    externalPrice: freeText('external_price'),
    createdAt: integer('created_at').notNull(),
    settledAt: integer('settled_at'),
    deadlineAt: integer('deadline_at').notNull(),
    nextAttemptAt: integer('next_attempt_at'),
    leaseUntil: integer('lease_until'),
    token: text('token'),
    /** When it asks for a sender; null once settled. */
    dueAt: integer('due_at'),
  },
  (table) => [
    uniqueIndex('supplier_deliveries_pending').on(table.orderId).where(sql`state = 'PENDING'`),
    index('supplier_deliveries_of_order').on(table.orderId, table.createdAt),
    index('supplier_deliveries_due').on(table.dueAt, table.id).where(sql`due_at is not null`),
  ],
);

/** Places at the supplier API that are taken. */
export const supplierSlots = sqliteTable('supplier_slots', {
  token: text('token').primaryKey().notNull(),
  leaseUntil: integer('lease_until').notNull(),
});
