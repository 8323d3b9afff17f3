import { and, asc, count, desc, eq, lt, sql } from 'drizzle-orm';
import { snapshotOf, type WebhookEvent } from '../../domain/sms/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, InboxRecord, InboxResult } from '../../ports/store/inbox.ts';
import { rowReader } from '../bad-row.ts';
import { nextTryAt } from '../inbox-backoff.ts';
import { deadFrom, inTurn, ordersOf, recordFrom } from '../rows/inbox.ts';
import type { AuditBook } from './audit.ts';
import { type Base, boundLimit, parameter } from './base.ts';
import { isUnavailable } from './errors.ts';
import type { OrderBook } from './order-book.ts';
import { rowFinder } from './read-rows.ts';
import { inbox } from './tables.ts';
import { rowWriter } from './write-rows.ts';
import type { Unit } from './writer.ts';

interface Item {
  readonly record: InboxRecord;
  readonly event: WebhookEvent;
}

type RecordRow = Pick<typeof inbox.$inferSelect, 'id' | 'receivedAt' | 'tries' | 'nextTryAt'>;

type Head = Pick<typeof inbox.$inferSelect, 'id' | 'orderId' | 'revision'>;

// As the partial indexes say it, or the planner does not take them.
const isPending = sql`state = 'PENDING'`;
const isDead = sql`state = 'DEAD'`;

export function createInbox(
  base: Base,
  clock: Pick<Clock, 'now'>,
  orderBook: OrderBook,
  audit: AuditBook,
): Inbox {
  const { database, db, writer } = base;
  const add = rowWriter(database, inbox, 'ignore');
  const findById = rowFinder(database, inbox, 'where id = ?');
  const findRecords = database.prepare<[string], RecordRow>(
    `select id, received_at as receivedAt, tries, next_try_at as nextTryAt from inbox
     where state = 'PENDING' and id in (select value from json_each(?))`,
  );
  // Whose turn it is, without the bodies: of a flood, an order has many more records than a batch takes.
  const due = `select id, order_id as orderId, revision from inbox where state = 'PENDING' and next_try_at <= ?`;
  const ofOrders = 'order_id in (select value from json_each(?))';
  const findOldest = database.prepare<[number, number], Head>(`${due} order by id ${boundLimit}`);
  const findOldestOf = database.prepare<[number, string, number], Head>(
    `${due} and ${ofOrders} order by id ${boundLimit}`,
  );
  const findOfOrders = database.prepare<[number, string], Head>(`${due} and ${ofOrders}`);
  const findByIds = rowFinder(database, inbox, 'where id in (select value from json_each(?))');
  const settle = database.prepare<[number, string]>(
    `update inbox set state = 'SETTLED', settled_at = ? where id in (select value from json_each(?))`,
  );
  const postpone = db
    .update(inbox)
    .set({ state: parameter('state'), tries: parameter('tries'), nextTryAt: parameter('nextTryAt') })
    .where(eq(inbox.id, sql.placeholder('id')))
    .prepare();
  const countPending = db.select({ count: count() }).from(inbox).where(isPending).prepare();
  const findFirst = db.select().from(inbox).where(isPending).orderBy(asc(inbox.id)).limit(1).prepare();
  const countDead = db.select({ count: count() }).from(inbox).where(isDead).prepare();
  const findDead = db
    .select()
    .from(inbox)
    .where(and(isDead, lt(inbox.id, sql.placeholder('before'))))
    .orderBy(desc(inbox.id))
    .limit(sql.placeholder('limit'))
    .prepare();

  /** One statement finds what is still pending of a batch, and one settles it: of the records themselves neither reads the bodies again. */
  function applyAll(batch: readonly Item[], unit: Unit): InboxResult[] {
    const ids = JSON.stringify(batch.map(({ record }) => record.id));
    const pending = new Map(findRecords.all(ids).map((row) => [row.id, row]));
    const settled: number[] = [];
    const results = batch.map(({ record: { id }, event }): InboxResult => {
      const row = pending.get(id);
      if (row === undefined) return { kind: 'gone', id };
      // Twice in one batch: the second finds it settled.
      pending.delete(id);
      try {
        const result = unit.savepoint(() => effectOf(row, event, unit));
        settled.push(id);
        return result;
      } catch (error) {
        // A full disk is not the record's fault, and must not use up its tries.
        if (isUnavailable(error)) throw error;
        return postponed(row, error, unit);
      }
    });
    settle.run(unit.now, JSON.stringify(settled));
    return results;
  }

  function effectOf(row: Pick<RecordRow, 'id' | 'receivedAt'>, event: WebhookEvent, unit: Unit): InboxResult {
    if (event.kind === 'test' || event.kind === 'nothing') {
      return { kind: 'applied', id: row.id, order: null, news: null, conflict: false };
    }
    const readAt = rowReader('inbox', row.id).instant(row.receivedAt);
    const reading = { source: 'WEBHOOK', readAt, adoption: null } as const;
    const { order, sms, conflict } = orderBook.merge(snapshotOf(event), reading, unit);
    return { kind: 'applied', id: row.id, order, news: sms, conflict };
  }

  function postponed(row: RecordRow, error: unknown, unit: Unit): InboxResult {
    const tries = row.tries + 1;
    const nextAt = nextTryAt(tries, unit.now);
    const state = nextAt === null ? 'DEAD' : 'PENDING';
    postpone.run({ id: row.id, state, tries, nextTryAt: nextAt ?? row.nextTryAt });
    return { kind: 'failed', id: row.id, error, nextAt };
  }

  return {
    insert: ({ dedupeKey, event, orderId, revision, body, rejected }) =>
      writer.write((unit) => {
        const { now } = unit;
        const state = rejected ? 'REJECTED' : 'PENDING';
        const isNew = add({
          dedupeKey,
          event,
          orderId,
          revision,
          body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
          state,
          receivedAt: now,
          tries: 0,
          nextTryAt: now,
        });
        if (isNew && !rejected) unit.wake(['inbox']);
        return isNew ? 'stored' : 'duplicate';
      }),
    async pending(limit, orderIds) {
      const now = clock.now();
      const heads =
        orderIds === undefined
          ? findOldest.all(now, limit)
          : findOldestOf.all(now, JSON.stringify(orderIds), limit);
      // Fewer than were asked for are all that is due.
      const ofThose = heads.length < limit ? heads : findOfOrders.all(now, JSON.stringify(ordersOf(heads)));
      const ids = inTurn(heads, ofThose)
        .slice(0, limit)
        .map(({ id }) => id);
      const records = new Map(findByIds.all(JSON.stringify(ids)).map((row) => [row.id, row]));
      return ids.flatMap((id) => records.get(id) ?? []).map(recordFrom);
    },
    apply: (batch) => writer.writeBehind((unit) => applyAll(batch, unit)),
    async dead(before, limit) {
      return findDead.all({ before: before ?? Number.MAX_SAFE_INTEGER, limit }).map(deadFrom);
    },
    replay: (id, by) =>
      writer.write((unit) => {
        const row = findById.one(id);
        if (row === undefined || row.state !== 'DEAD') return null;
        postpone.run({ id, state: 'PENDING', tries: 0, nextTryAt: unit.now });
        audit.add(by, 'REPLAY_WEBHOOK', id, unit.now);
        unit.wake(['inbox']);
        return deadFrom(row);
      }),
    async stats() {
      const first = findFirst.get();
      return {
        pending: countPending.get()?.count ?? 0,
        dead: countDead.get()?.count ?? 0,
        oldestPendingAt: first === undefined ? null : rowReader('inbox', first.id).instant(first.receivedAt),
      };
    },
  };
}
