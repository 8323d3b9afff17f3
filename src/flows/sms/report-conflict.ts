import type { Order } from '../../domain/orders/order.ts';
import type { Deps } from '../deps.ts';

/** The same revision with another text: the first is kept, and somebody should know (faults.md D6). */
export function reportConflict(deps: Deps, order: Order): void {
  deps.metrics.smsConflict();
  deps.log.warn('an accepted revision came again with another text', {
    orderId: order.id,
    revision: order.smsRevision,
  });
}
