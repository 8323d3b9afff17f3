import { z } from 'zod';
import { instant } from '../kernel/clock.ts';

const time = z.number();
const plannedSmsSchema = z.object({ at: time, message: z.string(), code: z.string().nullable() });

/** An order as the sandbox keeps it, and as the journal brings it back. Instants are epoch milliseconds. */
export const orderSchema = z.object({
  id: z.int(),
  /** The completed order whose number this one has again. */
  parentId: z.int().nullable(),
  status: z.enum(['ACTIVE', 'OTP_RECEIVED', 'COMPLETED', 'CANCELED', 'EXPIRED']),
  createdAt: time,
  productId: z.int(),
  catalogProductId: z.int(),
  operatorId: z.int().nullable(),
  operatorName: z.string().nullable(),
  /** Names and codes, not ids: another seed has other ids. */
  countryCode: z.string(),
  country: z.string(),
  platform: z.string(),
  provider: z.string(),
  amount: z.int(),
  phoneNumber: z.string().nullable(),
  /** When it gets its number by itself; null once it has it. */
  numberAt: time.nullable(),
  otpCode: z.string().nullable(),
  otpMessage: z.string().nullable(),
  smsRevision: z.int(),
  otpReceivedAt: time.nullable(),
  expiresAt: time,
  canceledAt: time.nullable(),
  failedReason: z.string().nullable(),
  cancelAvailableAt: time,
  resendAvailableAt: time.nullable(),
  resends: z.int(),
  planned: z.array(plannedSmsSchema),
});

export type Order = z.output<typeof orderSchema>;
export type PlannedSms = z.output<typeof plannedSmsSchema>;

export type OrderView = Readonly<Record<string, unknown>>;

export function isTerminal({ status }: Order): boolean {
  return status === 'COMPLETED' || status === 'CANCELED' || status === 'EXPIRED';
}

/** Any SMS delivered on the order, with or without a code. */
export function hasEvidence({ smsRevision }: Order): boolean {
  return smsRevision > 0;
}

/** The 8 keys in every order shape, by their definitions (reference, 7). */
export function capabilities(order: Order, now: number, reactivatable: boolean): OrderView {
  const open = !isTerminal(order);
  const evidence = hasEvidence(order);
  const cooling = open && order.resendAvailableAt !== null && now < order.resendAvailableAt;
  const cancelable = order.status === 'ACTIVE' && !evidence;
  const early = now < order.cancelAvailableAt;
  const cancelAvailableAt = cancelable && early ? instant(order.cancelAvailableAt) : null;
  return {
    can_finish: open && evidence,
    can_resend: open && evidence && now < order.expiresAt && !cooling,
    can_cancel: cancelable && !early,
    can_replace: cancelable && !early,
    can_reactivate: order.status === 'COMPLETED' && reactivatable,
    resend_available_at: cooling ? orNull(order.resendAvailableAt) : null,
    cancel_available_at: cancelAvailableAt,
    replace_available_at: cancelAvailableAt,
  };
}

/** GET /orders and GET /orders/{id}: 24 keys. */
export function summary(order: Order, flags: OrderView): OrderView {
  return {
    id: order.id,
    status: order.status,
    created_at: instant(order.createdAt),
    product_id: order.productId,
    catalog_product_id: order.catalogProductId,
    operator_id: order.operatorId,
    operator_name: order.operatorName,
    phone_number: order.phoneNumber,
    amount: order.amount,
    otp_code: order.otpCode,
    otp_message: order.otpMessage,
    sms_revision: order.smsRevision,
    otp_received_at: orNull(order.otpReceivedAt),
    expires_at: instant(order.expiresAt),
    canceled_at: orNull(order.canceledAt),
    failed_reason: order.failedReason,
    ...flags,
  };
}

/** GET /orders/active: 18 keys. */
export function compact(order: Order, flags: OrderView): OrderView {
  return {
    id: order.id,
    status: order.status,
    otp_code: order.otpCode,
    otp_message: order.otpMessage,
    sms_revision: order.smsRevision,
    otp_received_at: orNull(order.otpReceivedAt),
    expires_at: instant(order.expiresAt),
    failed_reason: order.failedReason,
    operator_id: order.operatorId,
    operator_name: order.operatorName,
    ...flags,
  };
}

/** In the answers of create and reactivate: 20 keys. */
export function createdItem(order: Order, flags: OrderView): OrderView {
  return {
    id: order.id,
    status: order.status,
    phone_number: order.phoneNumber,
    otp_code: order.otpCode,
    otp_received_at: orNull(order.otpReceivedAt),
    expires_at: instant(order.expiresAt),
    failed_reason: order.failedReason,
    product_id: order.productId,
    catalog_product_id: order.catalogProductId,
    operator_id: order.operatorId,
    operator_name: order.operatorName,
    amount: order.amount,
    ...flags,
  };
}

export type OrderEvent = 'order.otp_received' | 'order.completed' | 'order.expired' | 'order.canceled';

/** A webhook's body: 19 keys in data. A terminal event has no revision: it is no evidence of a message. */
export function eventBody(event: OrderEvent, order: Order, flags: OrderView, now: number): string {
  return JSON.stringify({
    event,
    timestamp: instant(now),
    data: {
      order_id: order.id,
      phone_number: order.phoneNumber,
      otp_code: order.otpCode,
      otp_message: order.otpMessage,
      sms_revision: event === 'order.otp_received' ? order.smsRevision : null,
      product_id: order.productId,
      catalog_product_id: order.catalogProductId,
      country: order.country,
      platform: order.platform,
      operator_id: order.operatorId,
      operator_name: order.operatorName,
      ...flags,
    },
  });
}

function orNull(epochMs: number | null): string | null {
  return epochMs === null ? null : instant(epochMs);
}
