import type { Visibility } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Order, OrderStatus } from '../../domain/orders/order.ts';
import type { ActionRejectionCode } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { refreshOrder } from '../sms/refresh-order.ts';
import { type ActionRules, actOnce } from './act-once.ts';
import { actionCode } from './action-code.ts';

/** What a finish came to (smscode-v1.md, Finish). Each `kind` is the name of its type in the graph. */
export type FinishOutcome =
  | {
      readonly kind: 'FinishSkipped' | 'FinishReceipt' | 'FinishConfirmed';
      readonly orderId: OrderId;
      readonly order: Order;
    }
  | {
      readonly kind: 'FinishRejected';
      readonly orderId: OrderId;
      readonly httpStatus: number;
      readonly code: ActionRejectionCode;
    }
  | {
      readonly kind: 'FinishAmbiguous';
      readonly orderId: OrderId;
      readonly latestStatus: OrderStatus | null;
    };

/** Null: no such order for this caller, and nothing was asked upstream. */
export async function finishOrder(
  deps: Deps,
  scope: Visibility,
  orderId: OrderId,
  by: Actor,
): Promise<FinishOutcome | null> {
  const order = await deps.store.orders.find(scope, orderId);
  if (order === null) return null;
  const record = await actOnce(deps, order, finishRules(deps), by);
  // What may be done with a completed order, reactivating it above all, only a read tells.
  if (record.kind === 'receipt') await refreshOrder(deps, orderId);
  const latest = (await deps.store.orders.find(scope, orderId)) ?? order;
  switch (record.kind) {
    case 'skipped':
      return { kind: 'FinishSkipped', orderId, order: latest };
    case 'receipt':
      return { kind: 'FinishReceipt', orderId, order: latest };
    case 'confirmed':
      return { kind: 'FinishConfirmed', orderId, order: latest };
    case 'rejected':
      return {
        kind: 'FinishRejected',
        orderId,
        httpStatus: record.httpStatus,
        code: actionCode(record.code),
      };
    case 'ambiguous':
      return { kind: 'FinishAmbiguous', orderId, latestStatus: record.latestStatus };
  }
}

function finishRules(deps: Deps): ActionRules {
  return {
    action: 'FINISH',
    flag: 'canFinish',
    async send({ id }) {
      const reply = await deps.numbers.finish(id);
      if (reply.kind === 'rejected') return reply;
      if (reply.kind !== 'receipt') return { kind: 'unclear' };
      return { kind: 'receipt', refund: null, resend: null };
    },
    receiptMeans: 'COMPLETED',
    confirmedBy: 'COMPLETED',
  };
}
