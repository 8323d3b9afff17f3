import type { CallerName, SupplierOrderId } from '../ids.ts';
import type { Instant } from '../time.ts';

/** UNKNOWN: the supplier API sent a value of a newer kind. It is no value to ask for. */
export const supplierOrderStatuses = [
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'REFUNDED',
  'ERROR',
  'UNKNOWN',
] as const;
export type SupplierOrderStatus = (typeof supplierOrderStatuses)[number];

/** PARTIAL: part of the money went back; the order is still live work. */
export const supplierPaymentStatuses = [
  'PENDING',
  'COMPLETED',
  'FAILED',
  'REFUNDED',
  'PROCESSING',
  'PARTIAL',
  'UNKNOWN',
] as const;
export type SupplierPaymentStatus = (typeof supplierPaymentStatuses)[number];

export const supplierProductTypes = ['MANUAL', 'INVENTORY', 'AUTO', 'UNKNOWN'] as const;
export type SupplierProductType = (typeof supplierProductTypes)[number];

/** What one answer told of an order. Everything but id and quantity may be absent: null then. */
export interface SupplierOrderSnapshot {
  readonly id: SupplierOrderId;
  readonly quantity: number;
  readonly status: SupplierOrderStatus | null;
  readonly paymentStatus: SupplierPaymentStatus | null;
  readonly productType: SupplierProductType | null;
  readonly entityType: string | null;
  readonly subCategory: string | null;
  readonly deliveredCount: number | null;
  readonly lastProcessTime: Instant | null;
  readonly externalId: string | null;
  readonly externalPrice: string | null;
  readonly createdAt: Instant | null;
}

/** An order as the gateway keeps it. */
export interface SupplierOrder extends Omit<SupplierOrderSnapshot, 'status' | 'deliveredCount'> {
  readonly status: SupplierOrderStatus;
  /** Lines known to have been delivered: what the API says, or what was accepted from here, whichever is more. */
  readonly deliveredCount: number;
  readonly claimedAt: Instant | null;
  /** Whose pull claimed it; null: the automatic puller's, or a claim found again after its answer was lost. */
  readonly claimedBy: CallerName | null;
  /** Rises with each claim: what a follower of claims resumes by. Null where this gateway did not claim it. */
  readonly claimSequence: number | null;
  readonly completedAt: Instant | null;
  readonly asOf: Instant;
}

export function remainingOf(order: Pick<SupplierOrder, 'quantity' | 'deliveredCount'>): number {
  return Math.max(0, order.quantity - order.deliveredCount);
}

/** Claimed here and not closed: work that must not be forgotten. */
export function isOpenClaim(order: SupplierOrder): boolean {
  return order.claimedAt !== null && (order.status === 'PROCESSING' || order.status === 'UNKNOWN');
}
