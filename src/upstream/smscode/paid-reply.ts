import * as z from 'zod';
import type { OrderSnapshot } from '../../domain/orders/order.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import type { HttpResult } from '../http.ts';
import type { JsonValue } from '../json.ts';
import { readEnvelope } from './envelope.ts';
import { catalogProductId, int32, operatorId, orderId, orderStatus, productId, rupiah } from './shapes.ts';
import { readSnapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

/** Closed: thirteen keys that must be there, seven that may, and nothing else (smscode-v1.md, Paid create). */
const createdOrder = z.strictObject({
  id: orderId,
  status: orderStatus,
  product_id: productId,
  amount: rupiah,
  otp_code: nullableText,
  can_finish: z.boolean(),
  can_resend: z.boolean(),
  can_cancel: z.boolean(),
  can_replace: z.boolean(),
  can_reactivate: z.boolean(),
  resend_available_at: nullableText,
  cancel_available_at: nullableText,
  replace_available_at: nullableText,
  phone_number: nullableText.optional(),
  otp_received_at: nullableText.optional(),
  expires_at: nullableText.optional(),
  failed_reason: nullableText.optional(),
  catalog_product_id: catalogProductId.nullable().optional(),
  operator_id: operatorId.nullable().optional(),
  operator_name: nullableText.optional(),
});

const createResult = z.strictObject({
  orders: z.array(createdOrder),
  failed_count: int32.refine((count) => count >= 0),
});

/**
 * The rows of smscode-v1.md's table of answers, in its order. An answer that cannot be read to its end (over the limit
 * of its size too) is `transport`: what it said is not known. That the orders add up to the quantity is for `settle`.
 */
export function paidReply(result: HttpResult): PaidReply {
  if (result.kind === 'no-answer') return { kind: 'transport' };
  const { status: httpStatus, retryAfterSeconds } = result;
  if (httpStatus >= 500) return { kind: 'http-5xx', httpStatus, retryAfterSeconds };
  const envelope = readEnvelope(result);
  switch (envelope.kind) {
    case 'malformed':
    case 'contradictory':
      return { kind: envelope.kind, httpStatus, retryAfterSeconds };
    case 'failure':
      return {
        kind: 'failure',
        httpStatus,
        code: envelope.code,
        retryAfterSeconds: retryAfterSeconds ?? envelope.retryAfterSeconds,
      };
    case 'success':
      return made(envelope.data) ?? { kind: 'malformed-success', httpStatus };
  }
}

function made(data: JsonValue): Extract<PaidReply, { kind: 'made' }> | null {
  const result = createResult.safeParse(data);
  if (!result.success) return null;
  const orders: OrderSnapshot[] = [];
  for (const item of result.data.orders) {
    const snapshot = readSnapshot(item, item.id);
    if (snapshot === null) return null;
    orders.push(snapshot);
  }
  return { kind: 'made', orders, failedCount: result.data.failed_count };
}
