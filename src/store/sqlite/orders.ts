import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import { parseOrderId } from '../../domain/ids.ts';
import { hasUsableNumber } from '../../domain/orders/order.ts';
import type { OrderStore, Recorded } from '../../ports/store/orders.ts';
import { rowReader } from '../bad-row.ts';
import { type Base, inList } from './base.ts';
import { createMessages } from './messages.ts';
import type { OrderBook } from './order-book.ts';
import { orderPages, shown } from './order-pages.ts';
import { changeFrom, orderFrom } from './rows/order.ts';
import { inbox, orderChanges, orders } from './tables.ts';

/** Orders in SQLite. What it writes goes through the order book. */
export function createOrderStore(base: Base, orderBook: OrderBook): OrderStore {
  const { db, writer } = base;
  const own = eq(orders.owner, sql.placeholder('caller'));

  const byIds = (visible: SQL | undefined) =>
    db
      .select()
      .from(orders)
      .where(and(inList(orders.id, 'ids'), shown, visible))
      .prepare();
  const findOwn = byIds(own);
  const findAll = byIds(undefined);
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

  function visible(scope: Visibility, ids: readonly number[]) {
    const list = JSON.stringify(ids);
    const rows =
      scope.kind === 'own' ? findOwn.all({ ids: list, caller: scope.caller }) : findAll.all({ ids: list });
    return rows.map(orderFrom);
  }

  return {
    async find(scope, id) {
      return visible(scope, [id])[0] ?? null;
    },
    async byIds(scope, ids) {
      return visible(scope, ids);
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
      if (visible(scope, [id]).length === 0) return [];
      return findChanges.all({ orderId: id, afterVersion }).map(changeFrom);
    },
    ...createMessages(base),
  };
}
