import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { freeText } from './columns.ts';
import { orders } from './tables.ts';

/* What the migrations have made, for typed queries: watching, counting and erasing. */

export const alerts = sqliteTable(
  'alerts',
  {
    id: text('id').primaryKey().notNull(),
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    message: freeText('message').notNull(),
    raisedAt: integer('raised_at').notNull(),
    /** Null while what it is about lasts. */
    clearedAt: integer('cleared_at'),
    toldAt: integer('told_at'),
    dueAt: integer('due_at').notNull(),
    tries: integer('tries').notNull(),
  },
  (table) => [
    uniqueIndex('alerts_standing').on(table.kind, table.subject).where(sql`cleared_at is null`),
    index('alerts_untold').on(table.dueAt, table.id).where(sql`told_at is null`),
  ],
);

/** Who did what. Triggers forbid to change or erase a row. */
export const audit = sqliteTable(
  'audit',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }).notNull(),
    at: integer('at').notNull(),
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
export const orderFacts = sqliteTable(
  'order_facts',
  {
    orderId: integer('order_id')
      .primaryKey()
      .notNull()
      .references(() => orders.id),
    platformId: integer('platform_id'),
    countryId: integer('country_id'),
    endedAt: integer('ended_at'),
    erased: integer('erased', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('order_facts_ended')
      .on(table.endedAt, table.orderId)
      .where(sql`ended_at is not null and erased = 0`),
  ],
);

/** -1 and '' stand for "not known": null is equal to nothing, and would make a new row each time. */
const groups = {
  owner: text('owner').notNull(),
  platformId: integer('platform_id').notNull(),
  countryId: integer('country_id').notNull(),
  operatorId: integer('operator_id').notNull(),
  productId: integer('product_id').notNull(),
};

/** Since 1970. */
const hour = integer('hour').notNull();
const counts = {
  orders: integer('orders').notNull(),
  received: integer('received').notNull(),
  expired: integer('expired').notNull(),
  canceled: integer('canceled').notNull(),
  failed: integer('failed').notNull(),
};

export const orderCounts = sqliteTable('order_counts', { hour, ...groups, ...counts }, (table) => [
  primaryKey({
    columns: [table.hour, table.owner, table.platformId, table.countryId, table.operatorId, table.productId],
  }),
]);

/** A histogram of the time to the first message. `longest` in milliseconds. */
export const smsTimes = sqliteTable(
  'sms_times',
  {
    hour,
    ...groups,
    bin: integer('bin').notNull(),
    count: integer('count').notNull(),
    longest: integer('longest').notNull(),
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
      ],
    }),
  ],
);

/** What both come to over a day, where it is among the summed days. `times` is made by packBins. */
export const daySums = sqliteTable(
  'day_sums',
  {
    day: integer('day').notNull(),
    ...groups,
    ...counts,
    times: blob('times', { mode: 'buffer' }).notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.day, table.owner, table.platformId, table.countryId, table.operatorId, table.productId],
    }),
  ],
);

/** Days in which nothing was counted since they were summed up: triggers take out the others. */
export const summedDays = sqliteTable('summed_days', { day: integer('day').primaryKey().notNull() });
