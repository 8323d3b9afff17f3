import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, freeText, whole } from './columns.ts';
import { orders } from './tables.ts';

/* What the migrations have made, for typed queries: watching, counting and erasing. */

export const alerts = pgTable(
  'alerts',
  {
    id: text('id').primaryKey().notNull(),
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    message: freeText('message').notNull(),
    raisedAt: whole('raised_at').notNull(),
    /** Null while what it is about lasts. */
    clearedAt: whole('cleared_at'),
    toldAt: whole('told_at'),
    dueAt: whole('due_at').notNull(),
    tries: whole('tries').notNull(),
  },
  (table) => [
    uniqueIndex('alerts_standing').on(table.kind, table.subject).where(sql`cleared_at is null`),
    index('alerts_untold').on(table.dueAt, table.id).where(sql`told_at is null`),
  ],
);

/** Who did what. A trigger forbids to change or erase a row. */
export const audit = pgTable(
  'audit',
  {
    sequence: whole('sequence').primaryKey().generatedByDefaultAsIdentity(),
    at: whole('at').notNull(),
    /** caller or shell; the three behind it are null of the shell. */
    actor: text('actor').notNull(),
    caller: text('caller'),
    keyId: text('key_id'),
    requestId: text('request_id'),
    act: text('act').notNull(),
    subject: freeText('subject').notNull(),
  },
  (table) => [index('audit_of_caller').on(table.caller, table.sequence).where(sql`caller is not null`)],
);

/** What an order is counted under, as first known: counts given back must be those that were given. */
export const orderFacts = pgTable(
  'order_facts',
  {
    orderId: whole('order_id')
      .primaryKey()
      .notNull()
      .references(() => orders.id),
    platformId: whole('platform_id'),
    countryId: whole('country_id'),
    endedAt: whole('ended_at'),
    erased: boolean('erased').notNull(),
  },
  (table) => [
    index('order_facts_ended')
      .on(table.endedAt, table.orderId)
      .where(sql`ended_at is not null and not erased`),
  ],
);

/**
 * -1 and '' stand for "not known": null is equal to nothing, and would make a new row each time. Sums are kept in parts,
 * by `slot`, as those of lists are.
 */
const groups = {
  owner: text('owner').notNull(),
  platformId: whole('platform_id').notNull(),
  countryId: whole('country_id').notNull(),
  operatorId: whole('operator_id').notNull(),
  productId: whole('product_id').notNull(),
};
/** Since 1970. */
const hour = whole('hour').notNull();
const slot = whole('slot').notNull();
const counts = {
  orders: whole('orders').notNull(),
  received: whole('received').notNull(),
  expired: whole('expired').notNull(),
  canceled: whole('canceled').notNull(),
  failed: whole('failed').notNull(),
};

export const orderCounts = pgTable('order_counts', { hour, ...groups, slot, ...counts }, (table) => [
  primaryKey({
    columns: [
      table.hour,
      table.owner,
      table.platformId,
      table.countryId,
      table.operatorId,
      table.productId,
      table.slot,
    ],
  }),
]);

/** A histogram of the time to the first message. `longest` in milliseconds. */
export const smsTimes = pgTable(
  'sms_times',
  {
    hour,
    ...groups,
    slot,
    bin: whole('bin').notNull(),
    count: whole('count').notNull(),
    longest: whole('longest').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.hour,
        table.owner,
        table.platformId,
        table.countryId,
        table.operatorId,
        table.productId,
        table.bin,
        table.slot,
      ],
    }),
  ],
);

/** What both come to over a day, where it is among the summed days. `times` is made by packBins. */
export const daySums = pgTable(
  'day_sums',
  { day: whole('day').notNull(), ...groups, ...counts, times: bytes('times').notNull() },
  (table) => [
    primaryKey({
      columns: [table.day, table.owner, table.platformId, table.countryId, table.operatorId, table.productId],
    }),
  ],
);

/** Days in which nothing was counted since they were summed up: triggers take out the others. */
export const summedDays = pgTable('summed_days', { day: whole('day').primaryKey() });
