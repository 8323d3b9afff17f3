import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import { type OrderId, parseOrderId } from '../../domain/ids.ts';
import { hasUsableNumber, type Order } from '../../domain/orders/order.ts';
import type { OrderStore, Recorded } from '../../ports/store/orders.ts';
import { rowReader } from '../bad-row.ts';
import { isVisible } from '../order-effects.ts';
import { type Base, inList } from './base.ts';
import { createMessages } from './messages.ts';
import type { OrderBook } from './order-book.ts';
import { orderPages } from './order-pages.ts';
import { changeFrom, orderFrom } from './rows/order.ts';
import { inbox, orderChanges, orders } from './tables.ts';

/** Orders in SQLite. What it writes goes through the order book. */
export function createOrderStore(base: Base, orderBook: OrderBook): OrderStore {
  const { db, writer } = base;
  // By number alone, and judged here who may see it: told the owner too, the planner may go through all of his.
  const findByIds = db.select().from(orders).where(inList(orders.id, 'ids')).prepare();
  const findOpen = db
    .select({ id: orders.id, phoneNumber: orders.phoneNumber })
    .from(orders)
    // As the index says it, or the planner does not take it.
    .where(sql`status in ('ACTIVE', 'OTP_RECEIVED')`)
    .prepare();
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
  const findWaiting = db
    .select({ id: inbox.id })
    .from(inbox)
    .where(and(sql`state = 'PENDING'`, eq(inbox.orderId, sql.placeholder('orderId'))))
    .limit(1)
    .prepare();
  const page = orderPages(db);

  function find(scope: Visibility, id: OrderId): Order | null {
    const order = orderBook.load(id);
    return order !== null && isVisible(order, scope) ? order : null;
  }

  return {
    async find(scope, id) {
      return find(scope, id);
    },
    async byIds(scope, ids) {
      const found = findByIds.all({ ids: JSON.stringify(ids) }).map(orderFrom);
      return found.filter((order) => isVisible(order, scope));
    },
    async page(scope, query, request) {
      return page(scope, query, request);
    },
    async open() {
      return findOpen.all().map((row) => ({
        id: rowReader('orders', row.id).sure(parseOrderId(row.id)),
        hasNumber: hasUsableNumber(row),
      }));
    },
    record: (snapshot, readAt) =>
      writer.write((unit): Recorded => {
        if (findWaiting.get({ orderId: snapshot.id }) !== undefined) return { kind: 'inbox-first' };
        const saved = orderBook.merge(snapshot, { source: 'POLL', readAt, adoption: null }, unit);
        const { order, sms, changed, conflict } = saved;
        return { kind: 'recorded', order, news: sms, changed, conflict };
      }),
    async changes(scope, id, afterVersion) {
      if (find(scope, id) === null) return [];
      return findChanges.all({ orderId: id, afterVersion }).map(changeFrom);
    },
    ...createMessages(base),
  };
}
