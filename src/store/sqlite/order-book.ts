import { eq, sql } from 'drizzle-orm';
import type { AttemptId, OrderId } from '../../domain/ids.ts';
import { type Merged, mergeSnapshot, type Reading } from '../../domain/orders/merge.ts';
import type { Order, OrderSnapshot } from '../../domain/orders/order.ts';
import type { SmsRevision } from '../../domain/sms/accept.ts';
import { isShown, type OrderEffects, orderEffects, shownOwner } from '../order-effects.ts';
import { changeRow, orderFrom, orderRow } from '../rows/order.ts';
import { type Base, parameter } from './base.ts';
import type { Books } from './books.ts';
import type { ListEntry, ListTotals } from './list-totals.ts';
import type { OrderFacts } from './order-facts.ts';
import { rowFinder } from './read-rows.ts';
import { orderChanges, orders, smsRevisions } from './tables.ts';
import { rowUpdater, rowWriter } from './write-rows.ts';
import type { Unit } from './writer.ts';

export interface Saved extends Merged {
  /** The news as it was kept. Its sequence is 0 while nobody may see its order: it gets its number with the order's completion. */
  readonly sms: SmsRevision | null;
}

/** The one place that writes orders: row, version, messages, money and wakes together. To be used inside of a write alone. */
export interface OrderBook {
  load(id: OrderId): Order | null;
  ofAttempt(id: AttemptId): Order[];
  merge(snapshot: OrderSnapshot, reading: Reading, unit: Unit): Saved;
}

/** What the indexes of orders are made of: a test holds it to them. Most messages change none of it. */
export const placeOfOrder = [
  'owner',
  'attemptId',
  'status',
  'phoneNumber',
  'amount',
  'createdAt',
] as const satisfies readonly (keyof Order)[];

interface Parts {
  readonly base: Base;
  readonly books: Books;
  readonly facts: OrderFacts;
  readonly totals: ListTotals;
}

export function createOrderBook({ base, books, facts, totals }: Parts): OrderBook {
  const { database, db } = base;
  const findOrder = rowFinder(database, orders, 'where id = ?');
  const findOfAttempt = rowFinder(database, orders, 'where attempt_id = ? order by id');
  const addOrder = rowWriter(database, orders, 'fail');
  const updateOrder = rowUpdater(database, orders, []);
  const updateInPlace = rowUpdater(database, orders, placeOfOrder);
  const markSeen = db
    .update(orders)
    .set({ asOf: parameter('asOf') })
    .where(eq(orders.id, sql.placeholder('id')))
    .prepare();
  const addChange = rowWriter(database, orderChanges, 'fail');
  const addSms = rowWriter(database, smsRevisions, 'fail');
  const nextSequence = database
    .prepare<[], number>(`update counters set value = value + 1 where name = 'sms' returning value`)
    .pluck();
  const findSms = rowFinder(database, smsRevisions, 'where order_id = ? order by revision');
  const saveSms = rowWriter(database, smsRevisions, { replaceBy: ['order_id', 'revision'] });

  function load(id: OrderId): Order | null {
    const row = findOrder.one(id);
    return row === undefined ? null : orderFrom(row);
  }

  function save(before: Order | null, order: Order): void {
    const row = orderRow(order);
    if (before === null) addOrder(row);
    else if (placeOfOrder.every((key) => before[key] === order[key])) updateInPlace(row);
    else updateOrder(row);
  }

  function sequence(): number {
    const value = nextSequence.get();
    if (value === undefined) throw new Error('the counter of messages is gone');
    return value;
  }

  /** Messages that come into sight go to the end, in their order: a follower's cursor may have passed their old place. */
  function showMessages(order: Order, effects: OrderEffects): void {
    for (const row of findSms.all(order.id)) {
      const next = sequence();
      saveSms({
        ...row,
        ...(effects.becameShown ? { sequence: next } : {}),
        ...(effects.becameOwned ? { owner: shownOwner(order), ownerSequence: next } : {}),
      });
    }
  }

  function appendNews(merged: Merged, reading: Reading): SmsRevision | null {
    const { order, news } = merged;
    if (news === null) return null;
    const owner = shownOwner(order);
    const number = isShown(order) ? sequence() : null;
    const message = {
      orderId: order.id,
      revision: news.revision,
      message: news.message,
      otpCode: news.otpCode,
      source: reading.source,
      receivedAt: reading.readAt,
    };
    addSms({ ...message, sequence: number, owner, ownerSequence: owner === null ? null : number });
    return { ...message, sequence: number ?? 0 };
  }

  function bookMoney(order: Order, effects: OrderEffects, unit: Unit): void {
    if (effects.spends && order.owner !== null && order.amount !== null) {
      const { owner: caller, attemptId, amount, id: orderId } = order;
      books.add({ caller, kind: 'SPENT', amount, attemptId, orderId, note: 'charge' }, unit.now);
    }
    if (effects.returns) books.giveBack(order.id, unit.now);
  }

  return {
    load,
    ofAttempt: (attemptId) => findOfAttempt.all(attemptId).map(orderFrom),
    merge(snapshot, reading, unit) {
      const before = load(snapshot.id);
      const merged = mergeSnapshot(before, snapshot, reading);
      const { order } = merged;
      const effects = orderEffects(before, merged);
      if (effects.onlySeen) {
        // Most reads tell nothing new; its time alone spares the row's seven indexes.
        markSeen.run({ id: order.id, asOf: order.asOf });
        return { ...merged, sms: null };
      }
      save(before, order);
      if (merged.changed) addChange(changeRow(order));
      if (before !== null && (effects.becameShown || effects.becameOwned)) showMessages(order, effects);
      const sms = appendNews(merged, reading);
      bookMoney(order, effects, unit);
      totals.move(entryOf(before), entryOf(order));
      facts.orderChanged(before, order, unit.now);
      unit.wake(effects.wakes);
      return { ...merged, sms };
    },
  };
}

function entryOf(order: Order | null): ListEntry {
  return order !== null && isShown(order) ? { owner: order.owner, state: order.status } : null;
}
