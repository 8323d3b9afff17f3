import {
  admitDelivery,
  DELIVERY_DEADLINE,
  DELIVERY_LEASE,
  type Delivery,
  type DeliveryReply,
  settleDelivery,
} from '../domain/supplier/delivery.ts';
import { type Instant, later } from '../domain/time.ts';
import type { SupplierStore } from '../ports/store/supplier.ts';
import type { KeptSupplierOrder } from './supplier-merge.ts';

/** A delivery with what a store keeps beside it. */
export interface KeptDelivery extends Delivery {
  readonly leaseUntil: Instant | null;
  readonly token: string | null;
  /** The order's delivered count when it was prepared. */
  readonly countedBefore: number;
  readonly externalId: string | null;
  readonly externalPrice: string | null;
}

/*
 * How a delivery moves on. Pure, and shared by the stores. `now` is the store's clock.
 */

/** A new one, claimed for its first send. */
export function beginDelivery(
  draft: Parameters<SupplierStore['prepareDelivery']>[0],
  order: Pick<KeptSupplierOrder, 'deliveredCount'>,
  token: string,
  now: Instant,
): KeptDelivery {
  return {
    ...draft,
    state: 'PENDING',
    attempts: 1,
    lastError: null,
    rejection: null,
    createdAt: now,
    settledAt: null,
    deadlineAt: later(now, DELIVERY_DEADLINE),
    nextAttemptAt: null,
    leaseUntil: later(now, DELIVERY_LEASE),
    token,
    countedBefore: order.deliveredCount,
  };
}

/** Claimed for one more send, or expired; null where nothing may be done now. */
export function takeDelivery(
  delivery: KeptDelivery,
  token: string,
  now: Instant,
): { readonly kind: 'claimed' | 'expired'; readonly delivery: KeptDelivery } | null {
  switch (admitDelivery(delivery, now)) {
    case 'send': {
      const attempts = delivery.attempts + 1;
      const leaseUntil = later(now, DELIVERY_LEASE);
      return { kind: 'claimed', delivery: { ...delivery, attempts, nextAttemptAt: null, leaseUntil, token } };
    }
    case 'expire':
      return { kind: 'expired', delivery: { ...released(delivery), state: 'EXPIRED', settledAt: now } };
    case 'not-due':
    case 'held':
    case 'settled':
      return null;
  }
}

/** What a reply makes of a delivery whose token still holds. `orderCreatedAt` is null where the API did not tell it. */
export function answerDelivery(
  delivery: KeptDelivery,
  orderCreatedAt: Instant | null,
  reply: DeliveryReply,
  now: Instant,
): KeptDelivery {
  const next = settleDelivery(delivery, orderCreatedAt, reply, now);
  const base = released(delivery);
  switch (next.kind) {
    case 'accepted':
      return { ...base, state: 'ACCEPTED', lastError: null, settledAt: now };
    case 'rejected': {
      const { code, message } = next;
      return { ...base, state: 'REJECTED', lastError: code, rejection: { code, message }, settledAt: now };
    }
    case 'again':
      return { ...base, nextAttemptAt: next.nextAttemptAt, lastError: next.lastError };
  }
}

/** Its lines count from now on: beside what the API tells, which may have them counted already. */
export function withLinesOf(
  order: KeptSupplierOrder,
  accepted: KeptDelivery,
  now: Instant,
): KeptSupplierOrder {
  const isCompleted = accepted.status === 'COMPLETED';
  return {
    ...order,
    deliveredCount: Math.max(order.deliveredCount, accepted.countedBefore + accepted.lines),
    linesVersion: order.linesVersion + 1,
    status: isCompleted ? 'COMPLETED' : order.status,
    completedAt: order.completedAt ?? (isCompleted ? now : null),
    renew: order.renew && !isCompleted,
    externalId: accepted.externalId ?? order.externalId,
    externalPrice: accepted.externalPrice ?? order.externalPrice,
    erased: false,
    // A list that was read before this cannot know of it.
    asOf: now,
  };
}

function released(delivery: KeptDelivery): KeptDelivery {
  return { ...delivery, nextAttemptAt: null, leaseUntil: null, token: null };
}
