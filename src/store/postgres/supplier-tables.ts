import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, freeText, whole } from './columns.ts';

/* What the migrations have made, for typed queries: the supplier side. */

export const supplierOrders = pgTable(
  'supplier_orders',
  {
    id: text('id').primaryKey().notNull(),
    quantity: whole('quantity').notNull(),
    status: text('status').notNull(),
    paymentStatus: text('payment_status'),
    productType: text('product_type'),
    entityType: freeText('entity_type'),
    subCategory: freeText('sub_category'),
    deliveredCount: whole('delivered_count').notNull(),
    /** Rises when a delivery settles or the count is corrected: what a plan was made from. */
    linesVersion: whole('lines_version').notNull(),
    lastProcessTime: whole('last_process_time'),
    renew: boolean('renew').notNull(),
    externalId: freeText('external_id'),
    externalPrice: freeText('external_price'),
    createdAt: whole('created_at'),
    /** When it was first seen in processing without a claim. */
    seenProcessingAt: whole('seen_processing_at'),
    claimedAt: whole('claimed_at'),
    claimedBy: text('claimed_by'),
    claimSequence: whole('claim_sequence'),
    completedAt: whole('completed_at'),
    erased: boolean('erased').notNull(),
    asOf: whole('as_of').notNull(),
  },
  (table) => [
    uniqueIndex('supplier_orders_by_claim').on(table.claimSequence).where(sql`claim_sequence is not null`),
    index('supplier_orders_by_claim_time').on(table.claimedAt).where(sql`claimed_at is not null`),
    index('supplier_orders_renewing').on(table.lastProcessTime).where(sql`renew`),
    index('supplier_orders_ended').on(table.completedAt).where(sql`completed_at is not null and not erased`),
  ],
);

/** Pulls whose answer is out. One that was answered is gone from here. */
export const supplierPulls = pgTable('supplier_pulls', {
  id: text('id').primaryKey().notNull(),
  startedAt: whole('started_at').notNull(),
  limitAt: whole('limit_at').notNull(),
});

export const supplierDeliveries = pgTable(
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
    body: bytes('body').notNull(),
    lines: whole('lines').notNull(),
    /** The order's delivered count when this was prepared. */
    countedBefore: whole('counted_before').notNull(),
    status: text('status').notNull(),
    attempts: whole('attempts').notNull(),
    lastError: freeText('last_error'),
    rejectionCode: text('rejection_code'),
    rejectionMessage: freeText('rejection_message'),
    externalId: freeText('external_id'),
    externalPrice: freeText('external_price'),
    createdAt: whole('created_at').notNull(),
    settledAt: whole('settled_at'),
    deadlineAt: whole('deadline_at').notNull(),
    nextAttemptAt: whole('next_attempt_at'),
    leaseUntil: whole('lease_until'),
    token: text('token'),
    /** When it asks for a sender; null once settled. */
    dueAt: whole('due_at'),
  },
  (table) => [
    uniqueIndex('supplier_deliveries_pending').on(table.orderId).where(sql`state = 'PENDING'`),
    index('supplier_deliveries_of_order').on(table.orderId, table.createdAt),
    index('supplier_deliveries_due').on(table.dueAt, table.id).where(sql`due_at is not null`),
  ],
);

/** Places at the supplier API that are taken. */
export const supplierSlots = pgTable('supplier_slots', {
  token: text('token').primaryKey().notNull(),
  leaseUntil: whole('lease_until').notNull(),
});
