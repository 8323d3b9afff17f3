import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import { type OrderId, parseOrderId } from '../../domain/ids.ts';
import { hasUsableNumber, type Order, type OrderSnapshot } from '../../domain/orders/order.ts';
import type { OrderStore, Recorded } from '../../ports/store/orders.ts';
import { BadRow } from '../bad-row.ts';
import { isVisible } from '../order-effects.ts';
import { changeFrom, orderFrom } from '../rows/order.ts';
import type { Base } from './base.ts';
import type { ListTotals } from './list-totals.ts';
import { createMessages } from './messages.ts';
import type { OrderBook } from './order-book.ts';
import { orderPages } from './order-pages.ts';
import { rowFinder } from './read-rows.ts';
import { seenNotes } from './seen-notes.ts';
import { orderChanges, orders } from './tables.ts';

/** Orders noted in one transaction: some ten milliseconds, so that webhooks and creates get their turn in between. */
const SEEN_AT_ONCE = 500;

/** Orders in SQLite. What it writes goes through the order book. */
export function createOrderStore(base: Base, orderBook: OrderBook, totals: ListTotals): OrderStore {
  const { database, db, writer } = base;
  // By number alone, and judged here who may see it: told the owner too, the planner may go through all of his.
  const findByIds = rowFinder(database, orders, 'where id in (select value from json_each(?))');
  // As bare as it can be, for a hundred thousand rows at a time; the condition as the index has it, or it is not taken.
  const findOpen = database
    .prepare<[], readonly unknown[]>(
      `select id, phone_number from orders where status in ('ACTIVE', 'OTP_RECEIVED') order by id`,
    )
    .raw();
  const findChanges = db
    .select()
    .from(orderChanges)
    .where(
      and(
        eq(orderChanges.orderId, sql.placeholder('orderId')),
        gt(orderChanges.version, sql.placeholder('afterVersion')),
      ),
    )
    .orderBy(asc(orderChanges.version))
    .prepare();
  const findWaiting = database.prepare<[number]>(
    `select 1 from inbox where state = 'PENDING' and order_id = ? limit 1`,
  );
  const page = orderPages(db, totals);
  const noteSeen = seenNotes(base);

  function find(scope: Visibility, id: OrderId): Order | null {
    const order = orderBook.load(id);
    return order !== null && isVisible(order, scope) ? order : null;
  }

  return {
    async find(scope, id) {
      return find(scope, id);
    },
    async byIds(scope, ids) {
      const found = findByIds.all(JSON.stringify(ids)).map(orderFrom);
      return found.filter((order) => isVisible(order, scope));
    },
    async page(scope, query, request) {
      return page(scope, query, request);
    },
    async open() {
      return findOpen.all().map(([number, phoneNumber]) => {
        const id = parseOrderId(number);
        if (id === null) throw new BadRow('orders', String(number));
        return { id, hasNumber: typeof phoneNumber === 'string' && hasUsableNumber({ phoneNumber }) };
      });
    },
    record: (snapshot, readAt) =>
      writer.write((unit): Recorded => {
        if (findWaiting.get(snapshot.id) !== undefined) return { kind: 'inbox-first' };
        const saved = orderBook.merge(snapshot, { source: 'POLL', readAt, adoption: null }, unit);
        const { order, sms, changed, conflict } = saved;
        return { kind: 'recorded', order, news: sms, changed, conflict };
      }),
    async noteSeen(snapshots, readAt) {
      const telling: OrderSnapshot[] = [];
      for (let at = 0; at < snapshots.length; at += SEEN_AT_ONCE) {
        const part = snapshots.slice(at, at + SEEN_AT_ONCE);
        telling.push(...(await writer.write(() => noteSeen(part, readAt))));
      }
      return telling;
    },
    async changes(scope, id, afterVersion) {
      if (find(scope, id) === null) return [];
      return findChanges.all({ orderId: id, afterVersion }).map(changeFrom);
    },
    ...createMessages(base),
  };
}
