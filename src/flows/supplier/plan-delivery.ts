import type { SupplierOrderId } from '../../domain/ids.ts';
import type { SupplierOrder } from '../../domain/supplier/order.ts';
import { type DeliveryPlan, foldLine, planDelivery } from '../../domain/supplier/plan.ts';
import type { Deps } from '../deps.ts';

export interface Planned {
  readonly order: SupplierOrder;
  readonly plan: DeliveryPlan;
  /** The same lines, planned as if so many had been delivered. */
  planWith(deliveredCount: number): DeliveryPlan;
  /** Of the delivered lines it was made from. */
  readonly version: number;
}

/** What a delivery of these lines would do, by what is known to have been delivered. Null: an order this gateway has never seen. */
export async function planFor(
  deps: Deps,
  id: SupplierOrderId,
  elements: readonly string[],
): Promise<Planned | null> {
  const order = await deps.store.supplier.find(id);
  if (order === null) return null;
  const { lines, version } = await deps.store.supplier.deliveredLines(id);
  const folded = new Set(lines.map(foldLine));
  const planWith = (deliveredCount: number): DeliveryPlan =>
    planDelivery({ quantity: order.quantity, deliveredCount, folded }, elements);
  return { order, version, plan: planWith(order.deliveredCount), planWith };
}
