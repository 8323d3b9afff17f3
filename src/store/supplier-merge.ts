import type { SupplierOrder, SupplierOrderSnapshot } from '../domain/supplier/order.ts';
import type { Instant } from '../domain/time.ts';

/** A supplier order with what a store keeps beside it. */
export interface KeptSupplierOrder extends SupplierOrder {
  readonly linesVersion: number;
  /** The gateway renews its lease. */
  readonly renew: boolean;
  readonly seenProcessingAt: Instant | null;
  /** The lines delivered on it are erased. */
  readonly erased: boolean;
}

/**
 * What becomes of a supplier order when an answer names it. Pure, and shared by the stores. Nothing unclaims it or
 * lowers its count, nothing leads out of COMPLETED but a refund, and a read that began before the last is stale.
 */
export function mergeSupplierOrder(
  before: KeptSupplierOrder | null,
  told: SupplierOrderSnapshot,
  readAt: Instant,
  now: Instant,
): KeptSupplierOrder {
  const known = before ?? unknown(told, readAt);
  const isFresh = before === null || readAt >= before.asOf;
  const status = isFresh ? nextStatus(known, told) : known.status;
  const deliveredCount = Math.max(known.deliveredCount, told.deliveredCount ?? 0);
  const isUnclaimedWork = status === 'PROCESSING' && known.claimedAt === null;
  return {
    ...known,
    quantity: isFresh ? told.quantity : known.quantity,
    status,
    paymentStatus: (isFresh ? told.paymentStatus : null) ?? known.paymentStatus,
    productType: told.productType ?? known.productType,
    entityType: told.entityType ?? known.entityType,
    subCategory: told.subCategory ?? known.subCategory,
    externalId: told.externalId ?? known.externalId,
    externalPrice: told.externalPrice ?? known.externalPrice,
    createdAt: told.createdAt ?? known.createdAt,
    // The list is the API's word on it: absent there, it has let go.
    lastProcessTime: isFresh ? told.lastProcessTime : known.lastProcessTime,
    deliveredCount,
    linesVersion: known.linesVersion + (deliveredCount === known.deliveredCount ? 0 : 1),
    completedAt: known.completedAt ?? (status === 'COMPLETED' ? now : null),
    renew: known.renew && (status === 'PROCESSING' || status === 'UNKNOWN'),
    seenProcessingAt: isUnclaimedWork ? (known.seenProcessingAt ?? now) : null,
    asOf: isFresh ? readAt : known.asOf,
  };
}

function nextStatus(known: KeptSupplierOrder, told: SupplierOrderSnapshot): SupplierOrder['status'] {
  if (told.status === null) return known.status;
  return known.status === 'COMPLETED' && told.status !== 'REFUNDED' ? 'COMPLETED' : told.status;
}

function unknown(told: SupplierOrderSnapshot, readAt: Instant): KeptSupplierOrder {
  return {
    ...told,
    status: told.status ?? 'UNKNOWN',
    deliveredCount: 0,
    claimedAt: null,
    claimedBy: null,
    claimSequence: null,
    completedAt: null,
    asOf: readAt,
    linesVersion: 0,
    renew: false,
    seenProcessingAt: null,
    erased: false,
  };
}
