import * as z from 'zod';
import type { OrderId } from '../../domain/ids.ts';
import type {
  ActionRejectionCode,
  ActionReply,
  CancelRejectionCode,
  RefundReceipt,
} from '../../ports/numbers-api.ts';
import type { HttpResult } from '../http.ts';
import type { JsonValue } from '../json.ts';
import { readEnvelope } from './envelope.ts';
import { orderId, orderStatus, rupiah, rupiahFromZero } from './shapes.ts';

type DocumentedPairs<Code extends string> = Readonly<Record<number, readonly Code[]>>;

// What each operation documents, by status. A known code under another status is no rejection, but unclear.

const cancelRejections: DocumentedPairs<CancelRejectionCode> = {
  401: ['UNAUTHORIZED'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT', 'CANCEL_TOO_EARLY'],
  422: ['PROVIDER_ERROR', 'VALIDATION_ERROR'],
  429: ['RATE_LIMIT_EXCEEDED'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE'],
};

const finishRejections: DocumentedPairs<ActionRejectionCode> = {
  401: ['UNAUTHORIZED'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT'],
  422: ['VALIDATION_ERROR'],
  429: ['RATE_LIMIT_EXCEEDED'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE'],
};

/** A resend is passed on to the number's supplier, who may refuse it. */
const resendRejections: DocumentedPairs<ActionRejectionCode> = {
  ...finishRejections,
  422: ['PROVIDER_ERROR', 'VALIDATION_ERROR'],
};

const cancelResult = z.strictObject({
  order_id: orderId,
  status: z.literal('CANCELED'),
  refund_amount: rupiahFromZero,
  new_balance: rupiah,
});

const finishResult = z.strictObject({ order_id: orderId, status: z.literal('COMPLETED') });

const resendResult = z.strictObject({ order_id: orderId, status: orderStatus, resent: z.boolean() });

/** smscode-v1.md, Cancel: the only place that refund figures come from. */
export function cancelReply(
  result: HttpResult,
  id: OrderId,
): ActionReply<RefundReceipt, CancelRejectionCode> {
  return actionReply(result, cancelRejections, (data) => {
    const receipt = cancelResult.safeParse(data).data;
    return receipt?.order_id === id
      ? { refundAmount: receipt.refund_amount, newBalance: receipt.new_balance }
      : undefined;
  });
}

export function finishReply(result: HttpResult, id: OrderId): ActionReply<null, ActionRejectionCode> {
  return actionReply(result, finishRejections, (data) =>
    finishResult.safeParse(data).data?.order_id === id ? null : undefined,
  );
}

export function resendReply(
  result: HttpResult,
  id: OrderId,
): ActionReply<{ readonly resent: boolean }, ActionRejectionCode> {
  return actionReply(result, resendRejections, (data) => {
    const receipt = resendResult.safeParse(data).data;
    return receipt?.order_id === id ? { resent: receipt.resent } : undefined;
  });
}

/** `parse` gives undefined for what is no receipt of the order asked for. */
function actionReply<Receipt, Code extends string>(
  result: HttpResult,
  documented: DocumentedPairs<Code>,
  parse: (data: JsonValue) => Receipt | undefined,
): ActionReply<Receipt, Code> {
  if (result.kind === 'no-answer') return { kind: 'unclear' };
  const { status: httpStatus } = result;
  const envelope = readEnvelope(result);
  if (envelope.kind === 'failure') {
    const code = documented[httpStatus]?.find((known) => known === envelope.code);
    return code === undefined ? { kind: 'unclear' } : { kind: 'rejected', httpStatus, code };
  }
  const receipt = envelope.kind === 'success' && envelope.closed ? parse(envelope.data) : undefined;
  return receipt === undefined ? { kind: 'unclear' } : { kind: 'receipt', receipt };
}
