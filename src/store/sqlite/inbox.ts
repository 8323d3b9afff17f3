import { and, asc, count, desc, eq, lt, lte, type SQL, sql } from 'drizzle-orm';
import { snapshotOf, type WebhookEvent } from '../../domain/sms/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, InboxRecord, InboxResult } from '../../ports/store/inbox.ts';
import { rowReader } from '../bad-row.ts';
import { nextTryAt } from '../inbox-backoff.ts';
import { deadFrom, inTurn, ordersOf, recordFrom } from '../rows/inbox.ts';
import type { AuditBook } from './audit.ts';
import { type Base, inList, parameter } from './base.ts';
import { isUnavailable } from './errors.ts';
import type { OrderBook } from './order-book.ts';
import { inbox } from './tables.ts';
import { rowWriter } from './write-rows.ts';
import type { Unit } from './writer.ts';

interface Item {
  readonly record: InboxRecord;
  readonly event: WebhookEvent;
}

// As the partial indexes say it, or the planner does not take them.
const isPending = sql`state = 'PENDING'`;
const isDead = sql`state = 'DEAD'`;
const isDue = lte(inbox.nextTryAt, sql.placeholder('now'));

export function createInbox(
  base: Base,
  clock: Pick<Clock, 'now'>,
  orderBook: OrderBook,
  audit: AuditBook,
): Inbox {
  const { database, db, writer } = base;
  const add = rowWriter(database, inbox, 'ignore');
  const findById = db
    .select()
    .from(inbox)
    .where(eq(inbox.id, sql.placeholder('id')))
    .prepare();
  const oldest = (which: SQL | undefined) =>
    db
      .select()
      .from(inbox)
      .where(and(isPending, isDue, which))
      .orderBy(asc(inbox.id))
      .limit(sql.placeholder('limit'))
      .prepare();
  const findOldest = oldest(undefined);
  const findOldestOf = oldest(inList(inbox.orderId, 'orderIds'));
  const findOfOrders = db
    .select()
    .from(inbox)
    .where(and(isPending, isDue, inList(inbox.orderId, 'orderIds')))
    // An event without a revision goes last: messages are judged before the status.
    .orderBy(sql`${inbox.revision} is null`, asc(inbox.revision), asc(inbox.id))
    .prepare();
  const settle = db
    .update(inbox)
    .set({ state: 'SETTLED', settledAt: parameter('at') })
    .where(eq(inbox.id, sql.placeholder('id')))
    .prepare();
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

  function applyOne({ record, event }: Item, unit: Unit): InboxResult {
    const row = findById.get({ id: record.id });
    if (row === undefined || row.state !== 'PENDING') return { kind: 'gone', id: record.id };
    try {
      return unit.savepoint((): InboxResult => {
        settle.run({ id: row.id, at: unit.now });
        if (event.kind === 'test' || event.kind === 'nothing') {
          return { kind: 'applied', id: row.id, order: null, news: null, conflict: false };
        }
        const readAt = rowReader('inbox', row.id).instant(row.receivedAt);
        const reading = { source: 'WEBHOOK', readAt, adoption: null } as const;
        const { order, sms, conflict } = orderBook.merge(snapshotOf(event), reading, unit);
        return { kind: 'applied', id: row.id, order, news: sms, conflict };
      });
    } catch (error) {
      // A full disk is not the record's fault, and must not use up its tries.
      if (isUnavailable(error)) throw error;
      const tries = row.tries + 1;
      const nextAt = nextTryAt(tries, unit.now);
      const state = nextAt === null ? 'DEAD' : 'PENDING';
      postpone.run({ id: row.id, state, tries, nextTryAt: nextAt ?? row.nextTryAt });
      return { kind: 'failed', id: row.id, error, nextAt };
    }
  }

  return {
    insert: ({ rejected, body, ...entry }) =>
      writer.write((unit) => {
        const { now } = unit;
        const state = rejected ? 'REJECTED' : 'PENDING';
        const isNew = add({
          ...entry,
          body: Buffer.from(body),
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
          ? findOldest.all({ now, limit })
          : findOldestOf.all({ now, limit, orderIds: JSON.stringify(orderIds) });
      const ofOrders = findOfOrders.all({ now, orderIds: JSON.stringify(ordersOf(heads)) });
      return inTurn(heads, ofOrders).slice(0, limit).map(recordFrom);
    },
    apply: (batch) => writer.write((unit) => batch.map((item) => applyOne(item, unit))),
    async dead(before, limit) {
      return findDead.all({ before: before ?? Number.MAX_SAFE_INTEGER, limit }).map(deadFrom);
    },
    replay: (id, by) =>
      writer.write((unit) => {
        const row = findById.get({ id });
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
