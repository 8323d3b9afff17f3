import type { SupplierOrderId } from '../../domain/ids.ts';
import type { SupplierOrder, SupplierOrderSnapshot } from '../../domain/supplier/order.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { SupplierOrderQuery } from '../../ports/supplier-api.ts';
import type { Deps } from '../deps.ts';

/** The API's own bound. */
const MOST_AT_ONCE = 500;
/** How far before its place the last page's end is looked for first: so many orders may have left the list meanwhile. */
const OVERLAP = 50;
/** Ids kept of a page's end: one of them is still listed unless all of them left. */
const ANCHORS = 20;

/** A place in a list that moves: where it was by number, and the ids that stood right before it, the nearest last. */
export interface ListPlace {
  readonly offset: number;
  readonly before: readonly SupplierOrderId[];
}

export interface ListedOrder {
  readonly order: SupplierOrder;
  /** The place behind it. */
  readonly place: ListPlace;
}

export type ListResult =
  | { readonly kind: 'listed'; readonly orders: readonly ListedOrder[]; readonly hasNext: boolean }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

interface Row {
  readonly snapshot: SupplierOrderSnapshot;
  readonly offset: number;
}

/**
 * A page of the supplier's orders as the API lists them now. It counts by offset while orders come and go, so the end
 * of the page before is found again by its ids: nothing that stays in the list is skipped or shown twice.
 */
export async function listOrders(
  deps: Deps,
  query: SupplierOrderQuery,
  first: number,
  after: ListPlace | null,
): Promise<ListResult> {
  const rows: Row[] = [];
  let before = after?.before ?? [];
  let offset = Math.max(0, (after?.offset ?? 0) - OVERLAP);
  let isPlaced = after === null;
  let oldest: ReturnType<typeof deps.clock.now> | null = null;
  while (rows.length <= first) {
    const limit = isPlaced ? Math.min(MOST_AT_ONCE, first + 1 - rows.length) : MOST_AT_ONCE;
    const reply = await deps.supplier.orders(query, { limit, offset });
    if (reply.kind !== 'read') return { kind: 'fault', fault: reply };
    oldest ??= reply.readAt;
    const { orders, received } = reply.value;
    let found: readonly Row[] = orders.map((snapshot, index) => ({ snapshot, offset: offset + index + 1 }));
    if (!isPlaced) {
      const place = lastOf(found, before);
      // Further back: more left the list than the overlap holds. At its start, all that stood before has left it.
      if (place === null && offset > 0) {
        offset = Math.max(0, offset - MOST_AT_ONCE);
        continue;
      }
      found = found.slice((place ?? -1) + 1);
      isPlaced = true;
    }
    const known = new Set([...before, ...rows.map(({ snapshot }) => snapshot.id)]);
    rows.push(...found.filter(({ snapshot }) => !known.has(snapshot.id)));
    if (received < limit) break;
    offset += received;
  }
  const page = rows.slice(0, first);
  const kept = await deps.store.supplier.record(
    page.map(({ snapshot }) => snapshot),
    oldest ?? deps.clock.now(),
  );
  const orders = kept.map((order, index): ListedOrder => {
    before = [...before, order.id].slice(-ANCHORS);
    return { order, place: { offset: page[index]?.offset ?? 0, before } };
  });
  return { kind: 'listed', orders, hasNext: rows.length > first };
}

/** Where the nearest of the ids stands; null when none is among the rows. */
function lastOf(rows: readonly Row[], ids: readonly SupplierOrderId[]): number | null {
  for (const id of ids.toReversed()) {
    const index = rows.findIndex(({ snapshot }) => snapshot.id === id);
    if (index >= 0) return index;
  }
  return null;
}
