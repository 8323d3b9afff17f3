import {
  parseAttemptId,
  parseCallerName,
  parseCatalogProductId,
  parseOperatorId,
  parseOrderId,
  parseProductId,
} from '../../domain/ids.ts';
import { parseRupiah } from '../../domain/money.ts';
import { type Capabilities, type Order, orderStatuses } from '../../domain/orders/order.ts';
import type { OrderChange } from '../../ports/store/orders.ts';
import { type RowReader, rowReader } from '../bad-row.ts';

type CapabilityColumns = {
  readonly canFinish: boolean;
  readonly canResend: boolean;
  readonly canCancel: boolean;
  readonly canReplace: boolean;
  readonly canReactivate: boolean;
  readonly resendAvailableAt: number | null;
  readonly cancelAvailableAt: number | null;
  readonly replaceAvailableAt: number | null;
};

export type OrderRow = CapabilityColumns & {
  readonly id: number;
  readonly owner: string | null;
  readonly attemptId: string | null;
  readonly reactivatedFromId: number | null;
  readonly status: string;
  readonly phoneNumber: string | null;
  readonly amount: number | null;
  readonly productId: number | null;
  readonly catalogProductId: number | null;
  readonly operatorId: number | null;
  readonly operatorName: string | null;
  readonly otpCode: string | null;
  readonly otpMessage: string | null;
  readonly smsRevision: number;
  readonly otpReceivedAt: number | null;
  readonly expiresAt: number | null;
  readonly failedReason: string | null;
  readonly canceledAt: number | null;
  readonly createdAt: number;
  readonly asOf: number;
  readonly version: number;
};

export type OrderChangeRow = CapabilityColumns & {
  readonly orderId: number;
  readonly version: number;
  readonly status: string;
};

export function orderFrom(row: OrderRow): Order {
  const read = rowReader('orders', row.id);
  return {
    id: read.sure(parseOrderId(row.id)),
    owner: read.maybe(row.owner, parseCallerName),
    attemptId: read.maybe(row.attemptId, parseAttemptId),
    reactivatedFromId: read.maybe(row.reactivatedFromId, parseOrderId),
    status: read.oneOf(row.status, orderStatuses),
    phoneNumber: row.phoneNumber,
    amount: read.maybe(row.amount, parseRupiah),
    productId: read.maybe(row.productId, parseProductId),
    catalogProductId: read.maybe(row.catalogProductId, parseCatalogProductId),
    operatorId: read.maybe(row.operatorId, parseOperatorId),
    operatorName: row.operatorName,
    otpCode: row.otpCode,
    otpMessage: row.otpMessage,
    smsRevision: row.smsRevision,
    otpReceivedAt: read.maybeInstant(row.otpReceivedAt),
    expiresAt: read.maybeInstant(row.expiresAt),
    failedReason: row.failedReason,
    canceledAt: read.maybeInstant(row.canceledAt),
    capabilities: capabilitiesFrom(read, row),
    createdAt: read.instant(row.createdAt),
    asOf: read.instant(row.asOf),
    version: row.version,
  };
}

/** Column by column: taking an object apart and putting it together again takes longer than writing the row. */
export function orderRow(order: Order): OrderRow {
  const { capabilities } = order;
  return {
    id: order.id,
    owner: order.owner,
    attemptId: order.attemptId,
    reactivatedFromId: order.reactivatedFromId,
    status: order.status,
    phoneNumber: order.phoneNumber,
    amount: order.amount,
    productId: order.productId,
    catalogProductId: order.catalogProductId,
    operatorId: order.operatorId,
    operatorName: order.operatorName,
    otpCode: order.otpCode,
    otpMessage: order.otpMessage,
    smsRevision: order.smsRevision,
    otpReceivedAt: order.otpReceivedAt,
    expiresAt: order.expiresAt,
    failedReason: order.failedReason,
    canceledAt: order.canceledAt,
    canFinish: capabilities.canFinish,
    canResend: capabilities.canResend,
    canCancel: capabilities.canCancel,
    canReplace: capabilities.canReplace,
    canReactivate: capabilities.canReactivate,
    resendAvailableAt: capabilities.resendAvailableAt,
    cancelAvailableAt: capabilities.cancelAvailableAt,
    replaceAvailableAt: capabilities.replaceAvailableAt,
    createdAt: order.createdAt,
    asOf: order.asOf,
    version: order.version,
  };
}

export function changeFrom(row: OrderChangeRow): OrderChange {
  const read = rowReader('order_changes', `${row.orderId}/${row.version}`);
  return {
    version: row.version,
    status: read.oneOf(row.status, orderStatuses),
    capabilities: capabilitiesFrom(read, row),
  };
}

export function changeRow(order: Order): OrderChangeRow {
  return { orderId: order.id, version: order.version, status: order.status, ...order.capabilities };
}

function capabilitiesFrom(read: RowReader, row: CapabilityColumns): Capabilities {
  return {
    canFinish: row.canFinish,
    canResend: row.canResend,
    canCancel: row.canCancel,
    canReplace: row.canReplace,
    canReactivate: row.canReactivate,
    resendAvailableAt: read.maybeInstant(row.resendAvailableAt),
    cancelAvailableAt: read.maybeInstant(row.cancelAvailableAt),
    replaceAvailableAt: read.maybeInstant(row.replaceAvailableAt),
  };
}
