import type { Visibility } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Order, OrderStatus } from '../../domain/orders/order.ts';
import type { ActionRejectionCode } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { refreshOrder } from '../sms/refresh-order.ts';
import { type ActionRules, actOnce } from './act-once.ts';
import { actionCode } from './action-code.ts';

/** What a resend came to (smscode-v1.md, Finish, resend, reactivate). Each `kind` is the name of its type in the graph. */
export type ResendOutcome =
  | { readonly kind: 'ResendSkipped'; readonly orderId: OrderId; readonly order: Order }
  | {
      readonly kind: 'ResendReceipt';
      readonly orderId: OrderId;
      readonly resent: boolean;
      /** The revision accepted before the resend: whatever is above it came after. */
      readonly afterRevision: number;
      readonly order: Order;
    }
  | {
      readonly kind: 'ResendRejected';
      readonly orderId: OrderId;
      readonly httpStatus: number;
      readonly code: ActionRejectionCode;
    }
  | {
      readonly kind: 'ResendAmbiguous';
      readonly orderId: OrderId;
      readonly latestStatus: OrderStatus | null;
    };

/** Null: no such order for this caller, and nothing was asked upstream. */
export async function resendSms(
  deps: Deps,
  scope: Visibility,
  orderId: OrderId,
  by: Actor,
): Promise<ResendOutcome | null> {
  const order = await deps.store.orders.find(scope, orderId);
  if (order === null) return null;
  const record = await actOnce(deps, order, resendRules(deps), by);
  if (record.kind === 'receipt') await refreshOrder(deps, orderId);
  const latest = (await deps.store.orders.find(scope, orderId)) ?? order;
  switch (record.kind) {
    case 'skipped':
      return { kind: 'ResendSkipped', orderId, order: latest };
    case 'receipt':
      if (record.resend === null) throw new Error('a resend receipt was stored without what it says');
      return { kind: 'ResendReceipt', orderId, ...record.resend, order: latest };
    case 'rejected':
      return {
        kind: 'ResendRejected',
        orderId,
        httpStatus: record.httpStatus,
        code: actionCode(record.code),
      };
    case 'ambiguous':
      return { kind: 'ResendAmbiguous', orderId, latestStatus: record.latestStatus };
    case 'confirmed':
      throw new Error('nothing confirms a resend');
  }
}

function resendRules(deps: Deps): ActionRules {
  return {
    action: 'RESEND',
    flag: 'canResend',
    async send({ id, smsRevision }) {
      const reply = await deps.numbers.resend(id);
      if (reply.kind === 'rejected') return reply;
      if (reply.kind !== 'receipt') return { kind: 'unclear' };
      return { kind: 'receipt', refund: null, resend: { ...reply.receipt, afterRevision: smsRevision } };
    },
    receiptMeans: null,
    confirmedBy: null,
  };
}
