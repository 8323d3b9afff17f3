import type { SupplierOrder } from '../domain/supplier/order.ts';
import { type Instant, latest } from '../domain/time.ts';
import type { KeptSupplierOrder } from './supplier-merge.ts';

/** A pull whose answer is out. */
export interface OpenPull {
  readonly startedAt: Instant;
  /** When its answer counts as lost. */
  readonly limitAt: Instant;
}

/** Gives the order to a caller, or to the gateway's own puller, under a number of claims that is its own. */
export function claimedBy(
  order: KeptSupplierOrder,
  owner: SupplierOrder['claimedBy'],
  claimSequence: number,
  now: Instant,
): KeptSupplierOrder {
  const status = order.status === 'PENDING' || order.status === 'UNKNOWN' ? 'PROCESSING' : order.status;
  return { ...order, status, claimedAt: now, claimedBy: owner, claimSequence, seenProcessingAt: null };
}

/** Whether a found order is to be claimed; a time: not before a pull that may hold it has passed its limit. */
export function mayAdopt(
  order: KeptSupplierOrder,
  pulls: readonly OpenPull[],
  now: Instant,
): boolean | Instant {
  if (order.status !== 'PROCESSING' || order.claimedAt !== null) return false;
  // A pull begun after the order was first seen in processing cannot be the one that claimed it.
  const seenAt = order.seenProcessingAt ?? now;
  const limits = pulls.filter(({ startedAt }) => startedAt <= seenAt).map(({ limitAt }) => limitAt);
  return limits.length === 0 ? true : limits.reduce(latest);
}
