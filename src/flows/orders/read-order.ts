import type { Visibility } from '../../domain/access.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { recordSnapshot } from '../sms/record-snapshot.ts';

export type OrderRead =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'none' }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/** One visible order, read upstream first when `refresh`. An order that is not visible is not asked for upstream either. */
export async function readOrder(
  deps: Deps,
  scope: Visibility,
  id: OrderId,
  refresh: boolean,
): Promise<OrderRead> {
  const known = await deps.store.orders.find(scope, id);
  if (known === null) return { kind: 'none' };
  if (!refresh) return { kind: 'order', order: known };
  const read = await deps.numbers.order(id);
  if (read.kind !== 'read') return { kind: 'fault', fault: read };
  const order = await recordSnapshot(deps, read.value, read.readAt);
  return { kind: 'order', order: order ?? known };
}
