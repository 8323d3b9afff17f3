import type { Visibility } from '../../domain/access.ts';
import type { OrderId } from '../../domain/ids.ts';
import { isTerminal, type Order } from '../../domain/orders/order.ts';
import type { Deps } from '../deps.ts';
import { type Batch, follow } from '../follow.ts';

/**
 * The order now, then as it was at each change of its status or capabilities, in order and none left out. Ends with a
 * terminal status: nothing is read upstream after it. Null: no such order for this caller.
 */
export async function followOrder(
  deps: Deps,
  scope: Visibility,
  id: OrderId,
): Promise<AsyncIterableIterator<Order> | null> {
  if ((await deps.store.orders.find(scope, id)) === null) return null;
  let version: number | null = null;
  const read = async (): Promise<Batch<Order>> => {
    // The changes first: what is shown beside one, a message say, must not be older than it.
    const changes = version === null ? [] : await deps.store.orders.changes(scope, id, version);
    const last = changes.at(-1);
    if (version !== null && last === undefined) return { items: [], hasMore: false, done: false };
    const order = await deps.store.orders.find(scope, id);
    if (order === null) return { items: [], hasMore: false, done: true };
    if (last === undefined) {
      version = order.version;
      return { items: [order], hasMore: true, done: isTerminal(order.status) };
    }
    version = last.version;
    const items = changes.map((change) => ({ ...order, ...change }));
    return { items, hasMore: true, done: isTerminal(last.status) };
  };
  return follow(deps.wake, [`order:${id}`], read);
}
