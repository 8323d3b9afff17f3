import type { Visibility } from '../../domain/access.ts';
import { type OrderId, parseOrderId } from '../../domain/ids.ts';
import { hasUsableNumber, type Order, type OrderSnapshot } from '../../domain/orders/order.ts';
import type { Instant } from '../../domain/time.ts';
import type { OrderStore, Recorded } from '../../ports/store/orders.ts';
import { BadRow } from '../bad-row.ts';
import { isVisible, tellsNothing } from '../order-effects.ts';
import { createOrderSheet } from '../order-sheet.ts';
import { changeFrom, orderFrom } from '../rows/order.ts';
import { arrivalsOf } from './arrivals.ts';
import type { Base } from './base.ts';
import { createLedger, lockedBudgets } from './ledger.ts';
import { lockedOrders } from './load-orders.ts';
import { createMessages } from './messages.ts';
import { orderPages } from './order-pages.ts';
import { command, select, statement } from './statements.ts';
import { orderChanges, orders } from './tables.ts';
import { keep, leave } from './transaction.ts';
import { tally, writeMessages, writeOrders } from './write-orders.ts';

/** Orders noted in one transaction: their locks are held for some ten milliseconds. */
const SEEN_AT_ONCE = 500;

const findByIds = select(orders, 'where id = any($1::bigint[])');
const findOpen = statement(
  // As the index says it, or the planner does not take it.
  `select id, phone_number from orders where status in ('ACTIVE', 'OTP_RECEIVED') order by id`,
  ([id, phoneNumber]) => {
    const parsed = parseOrderId(Number(id));
    if (parsed === null) throw new BadRow('orders', String(id));
    return {
      id: parsed,
      hasNumber: typeof phoneNumber === 'string' && hasUsableNumber({ phoneNumber }),
    };
  },
);
const findChanges = select(orderChanges, 'where order_id = $1 and version > $2 order by version');
const findWaiting = statement(
  `select distinct order_id from inbox where order_id = any($1::bigint[]) and state = 'PENDING'`,
  ([orderId]) => Number(orderId),
);
// One that another is at has news, most likely: it is not waited for.
const lockOrders = select(orders, 'where id = any($1::bigint[]) order by id for no key update skip locked');
const markSeen = command('update orders set as_of = $2 where id = any($1::bigint[])');
const closeArrivals = command('select pg_advisory_xact_lock($1::int, $2::int)');

/** Orders in PostgreSQL. What it writes goes through the sheet. */
export function createOrderStore(base: Base): OrderStore {
  const { database, spaces } = base;

  async function find(scope: Visibility, id: OrderId): Promise<Order | null> {
    const [row] = await database.read(findByIds, [[id]]);
    const order = row === undefined ? null : orderFrom(row);
    return order !== null && isVisible(order, scope) ? order : null;
  }

  function noteSome(snapshots: readonly OrderSnapshot[], readAt: Instant): Promise<OrderSnapshot[]> {
    return database.write(async (tx) => {
      const ids = snapshots.map(({ id }) => id);
      const [rows, waiting] = await Promise.all([tx.rows(lockOrders, [ids]), tx.rows(findWaiting, [ids])]);
      const known = new Map(rows.map((row) => [row.id, row]));
      const isWaiting = new Set(waiting);
      const seen: OrderId[] = [];
      const telling: OrderSnapshot[] = [];
      for (const snapshot of snapshots) {
        const row = known.get(snapshot.id);
        const isSeen =
          row !== undefined && !isWaiting.has(snapshot.id) && tellsNothing(orderFrom(row), snapshot, readAt);
        isSeen ? seen.push(snapshot.id) : telling.push(snapshot);
      }
      tx.needNotLast();
      if (seen.length > 0) tx.send(markSeen, [seen, readAt]);
      return keep(() => telling);
    });
  }

  return {
    find,
    async byIds(scope, ids) {
      const found = (await database.read(findByIds, [ids])).map(orderFrom);
      return found.filter((order) => isVisible(order, scope));
    },
    page: orderPages(base),
    open: () => database.read(findOpen, []),
    record: (snapshot, readAt) =>
      database.write<Recorded>(async (tx) => {
        const ids = [snapshot.id];
        const [loaded, waiting, now] = await Promise.all([
          lockedOrders(tx, ids, [snapshot]),
          tx.rows(findWaiting, [ids]),
          tx.now(),
        ]);
        if (waiting.length > 0) return leave({ kind: 'inbox-first' });
        const sheet = createOrderSheet(loaded, now);
        const { order, sms, changed, conflict, news } = sheet.merge(snapshot, {
          source: 'POLL',
          readAt,
          adoption: null,
        });
        if (news !== null) {
          // A message is accepted only when every webhook that was answered before it has been seen: those on their way in
          // are waited for, and what comes after waits for us.
          const [, late] = await Promise.all([
            tx.rows(closeArrivals, [spaces.arrivals, arrivalsOf(snapshot.id)]),
            tx.rows(findWaiting, [ids]),
          ]);
          if (late.length > 0) return leave({ kind: 'inbox-first' });
        }
        const { written } = sheet;
        if (written.made.size + written.changed.size === 0) tx.needNotLast();
        const ledger = createLedger();
        tally(written, ledger);
        const budgets = await lockedBudgets(tx, ledger.callers());
        writeOrders(tx, written);
        ledger.write(tx, budgets, now);
        const firstNumber = writeMessages(tx, written);
        return keep(async () => ({
          kind: 'recorded',
          order,
          news: sms(await firstNumber()),
          changed,
          conflict,
        }));
      }),
    async noteSeen(snapshots, readAt) {
      const telling: OrderSnapshot[] = [];
      for (let at = 0; at < snapshots.length; at += SEEN_AT_ONCE) {
        telling.push(...(await noteSome(snapshots.slice(at, at + SEEN_AT_ONCE), readAt)));
      }
      return telling;
    },
    async changes(scope, id, afterVersion) {
      if ((await find(scope, id)) === null) return [];
      return (await database.read(findChanges, [id, afterVersion])).map(changeFrom);
    },
    ...createMessages(base),
  };
}
