import type { CallerName, DeliveryId, SupplierOrderId } from '../ids.ts';
import { earliest, HOUR, type Instant, later, MINUTE, SECOND } from '../time.ts';

/** A delivery that is not settled is sent again for so long, and then shown as EXPIRED: what was stored is unknown. */
export const DELIVERY_DEADLINE = HOUR;
/** The longest between two sends of a pending delivery, when the API does not say how long to wait. */
export const RESEND_AFTER = 10 * SECOND;
/** One send, connecting included. */
export const DELIVERY_TIMEOUT = 15 * SECOND;
/** Longer than a send and a wait it is told can take: a lease that has run out means a sender that died. */
export const DELIVERY_LEASE = 45 * SECOND;
/** An order not in the API's cache yet is looked for again only so soon after its creation. */
const YOUNG = 10 * SECOND;
/** A wait the API asks for is obeyed exactly, and at most this long: a silly number must not outlive the deadline. */
const LONGEST_WAIT = 5 * MINUTE;

/** Above either, a delivery goes by accounts-bulk (supplier-v2.md, Delivering). */
export const BULK_ABOVE_LINES = 1_000;
export const BULK_ABOVE_BYTES = 256 * 1024;

export type DeliveryState = 'PENDING' | 'ACCEPTED' | 'REJECTED' | 'EXPIRED';
export type DeliveryStatus = 'COMPLETED' | 'PARTIAL';

export const deliveryRejectionCodes = [
  'ORDER_NOT_FOUND',
  'ACCESS_DENIED',
  'PAYMENT_NOT_COMPLETED',
  'INVALID_ACCOUNTS',
  'API_KEY_REQUIRED',
  'INVALID_API_KEY',
  'OTHER',
] as const;
export type DeliveryRejectionCode = (typeof deliveryRejectionCodes)[number];

/** One batch of lines, kept as the exact request that is sent, and sent again, until it is settled. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly orderId: SupplierOrderId;
  readonly caller: CallerName;
  readonly state: DeliveryState;
  readonly endpoint: string;
  /** The exact bytes of every send. */
  readonly body: string;
  /** How many lines will be stored. */
  readonly lines: number;
  /** Lines that were delivered when it was prepared: what its plan was made from. */
  readonly countedBefore: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly rejection: { readonly code: DeliveryRejectionCode; readonly message: string } | null;
  readonly createdAt: Instant;
  readonly settledAt: Instant | null;
  readonly deadlineAt: Instant;
  readonly nextAttemptAt: Instant | null;
}

/** What one send came to, as the wire tells it. */
export type DeliveryReply =
  | { readonly kind: 'accepted' }
  /** 429: wait so long, then send the very same request. */
  | { readonly kind: 'wait'; readonly code: string; readonly retryAfterMs: number }
  | { readonly kind: 'refused'; readonly code: DeliveryRejectionCode; readonly message: string }
  /** No answer, a broken one, 5xx, or one that cannot be understood: it may have been stored. Sending it again is safe. */
  | { readonly kind: 'unclear'; readonly why: string };

export type DeliveryTransition =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly code: DeliveryRejectionCode; readonly message: string }
  | { readonly kind: 'again'; readonly nextAttemptAt: Instant; readonly lastError: string };

/** supplier-v2.md, Limits and Codes. `orderCreatedAt` is null where the API did not tell it. */
export function settleDelivery(
  delivery: Pick<Delivery, 'deadlineAt'>,
  orderCreatedAt: Instant | null,
  reply: DeliveryReply,
  now: Instant,
): DeliveryTransition {
  switch (reply.kind) {
    case 'accepted':
      return { kind: 'accepted' };
    case 'wait':
      return again(delivery, Math.min(Math.max(reply.retryAfterMs, 1), LONGEST_WAIT), reply.code, now);
    case 'unclear':
      return again(delivery, RESEND_AFTER, reply.why, now);
    case 'refused': {
      const isYoung = orderCreatedAt !== null && now - orderCreatedAt < YOUNG;
      if (reply.code === 'ORDER_NOT_FOUND' && isYoung) return again(delivery, SECOND, reply.code, now);
      return { kind: 'rejected', code: reply.code, message: reply.message };
    }
  }
}

function again(
  delivery: Pick<Delivery, 'deadlineAt'>,
  wait: number,
  lastError: string,
  now: Instant,
): DeliveryTransition {
  return { kind: 'again', nextAttemptAt: earliest(later(now, wait), delivery.deadlineAt), lastError };
}

/** May this delivery be sent at this moment? */
export type DeliveryDecision = 'send' | 'expire' | 'not-due' | 'held' | 'settled';

export function admitDelivery(
  delivery: Pick<Delivery, 'state' | 'deadlineAt' | 'nextAttemptAt'> & {
    readonly leaseUntil: Instant | null;
  },
  now: Instant,
): DeliveryDecision {
  if (delivery.state !== 'PENDING') return 'settled';
  if (delivery.leaseUntil !== null && now < delivery.leaseUntil) return 'held';
  if (now >= delivery.deadlineAt) return 'expire';
  if (delivery.nextAttemptAt !== null && now < delivery.nextAttemptAt) return 'not-due';
  return 'send';
}
