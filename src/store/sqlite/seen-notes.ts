import { and, sql } from 'drizzle-orm';
import type { OrderId } from '../../domain/ids.ts';
import type { OrderSnapshot } from '../../domain/orders/order.ts';
import type { Instant } from '../../domain/time.ts';
import { tellsNothing } from '../order-effects.ts';
import { orderFrom } from '../rows/order.ts';
import { type Base, inList, parameter } from './base.ts';
import { rowFinder } from './read-rows.ts';
import { inbox, orders } from './tables.ts';

/**
 * Moves `asOf` of the orders of which a poll told nothing new, in three statements for all of them; returns the snapshots
 * that told more, unwritten. To be used inside of a write alone.
 */
export function seenNotes({
  database,
  db,
}: Base): (snapshots: readonly OrderSnapshot[], readAt: Instant) => OrderSnapshot[] {
  const findAll = rowFinder(database, orders, 'where id in (select value from json_each(?))');
  const findWaiting = db
    .selectDistinct({ orderId: inbox.orderId })
    .from(inbox)
    .where(and(sql`state = 'PENDING'`, inList(inbox.orderId, 'ids')))
    .prepare();
  const markSeen = db
    .update(orders)
    .set({ asOf: parameter('asOf') })
    .where(inList(orders.id, 'ids'))
    .prepare();

  return (snapshots, readAt) => {
    const ids = JSON.stringify(snapshots.map(({ id }) => id));
    const known = new Map(findAll.all(ids).map((row) => [row.id, row]));
    const waiting = new Set(findWaiting.all({ ids }).map(({ orderId }) => orderId));
    const seen: OrderId[] = [];
    const telling: OrderSnapshot[] = [];
    for (const snapshot of snapshots) {
      const row = known.get(snapshot.id);
      const isSeen =
        row !== undefined && !waiting.has(snapshot.id) && tellsNothing(orderFrom(row), snapshot, readAt);
      if (isSeen) seen.push(snapshot.id);
      else telling.push(snapshot);
    }
    if (seen.length > 0) markSeen.run({ asOf: readAt, ids: JSON.stringify(seen) });
    return telling;
  };
}
