import { parseCallerName, parseSupplierOrderId } from '../../domain/ids.ts';
import {
  supplierOrderStatuses,
  supplierPaymentStatuses,
  supplierProductTypes,
} from '../../domain/supplier/order.ts';
import { rowReader } from '../bad-row.ts';
import type { KeptSupplierOrder } from '../supplier-merge.ts';

export interface SupplierOrderRow {
  readonly id: string;
  readonly quantity: number;
  readonly status: string;
  readonly paymentStatus: string | null;
  readonly productType: string | null;
  readonly entityType: string | null;
  readonly subCategory: string | null;
  readonly deliveredCount: number;
  readonly linesVersion: number;
  readonly lastProcessTime: number | null;
  readonly renew: boolean;
  readonly externalId: string | null;
  readonly externalPrice: string | null;
  readonly createdAt: number | null;
  readonly seenProcessingAt: number | null;
  readonly claimedAt: number | null;
  readonly claimedBy: string | null;
  readonly claimSequence: number | null;
  readonly completedAt: number | null;
  readonly erased: boolean;
  readonly asOf: number;
}

export function supplierOrderFrom(row: SupplierOrderRow): KeptSupplierOrder {
  const read = rowReader('supplier_orders', row.id);
  return {
    id: read.sure(parseSupplierOrderId(row.id)),
    quantity: row.quantity,
    status: read.oneOf(row.status, supplierOrderStatuses),
    paymentStatus: read.maybeOneOf(row.paymentStatus, supplierPaymentStatuses),
    productType: read.maybeOneOf(row.productType, supplierProductTypes),
    entityType: row.entityType,
    subCategory: row.subCategory,
    deliveredCount: row.deliveredCount,
    linesVersion: row.linesVersion,
    lastProcessTime: read.maybeInstant(row.lastProcessTime),
    renew: row.renew,
    externalId: row.externalId,
    externalPrice: row.externalPrice,
    createdAt: read.maybeInstant(row.createdAt),
    seenProcessingAt: read.maybeInstant(row.seenProcessingAt),
    claimedAt: read.maybeInstant(row.claimedAt),
    claimedBy: read.maybe(row.claimedBy, parseCallerName),
    claimSequence: row.claimSequence,
    completedAt: read.maybeInstant(row.completedAt),
    erased: row.erased,
    asOf: read.instant(row.asOf),
  };
}
