import type { Visibility } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Order, OrderStatus } from '../../domain/orders/order.ts';
import type { Instant } from '../../domain/time.ts';
import { type CancelRejectionCode, cancelRejectionCodes } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { type ActionRules, actOnce } from './act-once.ts';

/** What a cancel came to: five outcomes, no sixth (smscode-v1.md, Cancel). Each `kind` is the name of its type in the graph. */
export type CancelOutcome =
  | { readonly kind: 'CancelSkipped'; readonly orderId: OrderId; readonly order: Order }
  | {
      readonly kind: 'CancelReceipt';
      readonly orderId: OrderId;
      readonly refundAmount: Rupiah;
      readonly newBalance: Rupiah;
      readonly order: Order;
    }
  | {
      readonly kind: 'CancelRejected';
      readonly orderId: OrderId;
      readonly httpStatus: number;
      readonly code: CancelRejectionCode;
    }
  | { readonly kind: 'CancelConfirmed'; readonly orderId: OrderId; readonly order: Order }
  | {
      readonly kind: 'CancelAmbiguous';
      readonly orderId: OrderId;
      readonly latestStatus: OrderStatus | null;
    };

/** Null: no such order for this caller, and nothing was asked upstream. */
export async function cancelOrder(
  deps: Deps,
  scope: Visibility,
  orderId: OrderId,
  by: Actor,
): Promise<CancelOutcome | null> {
  const order = await deps.store.orders.find(scope, orderId);
  if (order === null) return null;
  const record = await actOnce(deps, order, cancelRules(deps), by);
  const latest = (await deps.store.orders.find(scope, orderId)) ?? order;
  switch (record.kind) {
    case 'skipped':
      return { kind: 'CancelSkipped', orderId, order: latest };
    case 'confirmed':
      return { kind: 'CancelConfirmed', orderId, order: latest };
    case 'ambiguous':
      return { kind: 'CancelAmbiguous', orderId, latestStatus: record.latestStatus };
    case 'rejected': {
      const code = cancelRejectionCodes.find((known) => known === record.code);
      if (code === undefined) throw new Error('a cancel was stored with a rejection code it cannot have');
      return { kind: 'CancelRejected', orderId, httpStatus: record.httpStatus, code };
    }
    case 'receipt': {
      if (record.refund === null) throw new Error('a cancel receipt was stored without figures');
      return { kind: 'CancelReceipt', orderId, ...record.refund, order: latest };
    }
  }
}

function cancelRules(deps: Deps): ActionRules {
  return {
    action: 'CANCEL',
    flag: 'canCancel',
    async send({ id }) {
      const asOf = deps.clock.now();
      const reply = await deps.numbers.cancel(id);
      if (reply.kind === 'rejected') return reply;
      if (reply.kind !== 'receipt') return { kind: 'unclear' };
      await keepBalance(deps, reply.receipt.newBalance, asOf);
      return { kind: 'receipt', refund: reply.receipt, resend: null };
    },
    receiptMeans: 'CANCELED',
    confirmedBy: 'CANCELED',
  };
}

/** A reading among others: that it cannot be kept must not lose the receipt it came with. */
async function keepBalance(deps: Deps, amount: Rupiah, asOf: Instant): Promise<void> {
  try {
    await deps.store.balances.record({ currency: 'IDR', amount, asOf });
  } catch (error) {
    deps.log.error('the balance could not be kept', {}, error);
  }
}
