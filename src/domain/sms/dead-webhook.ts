import type { OrderId } from '../ids.ts';
import type { Instant } from '../time.ts';

/** A webhook that was answered 2xx and given up on, after its effect failed again and again. Its body is not told. */
export interface DeadWebhook {
  readonly id: number;
  readonly event: string;
  readonly orderId: OrderId | null;
  readonly revision: number | null;
  readonly receivedAt: Instant;
  readonly tries: number;
}
