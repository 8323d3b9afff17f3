import type { Order } from '../../domain/orders/order.ts';
import type { SmsRevision } from '../../domain/sms/accept.ts';

/** How long a message took from its order on, in milliseconds. Null where no read has told when that was. */
export function sinceOrdered(order: Order | null, { receivedAt }: SmsRevision): number | null {
  // Both clocks may differ by a little.
  return order !== null && order.amount !== null ? Math.max(0, receivedAt - order.createdAt) : null;
}
