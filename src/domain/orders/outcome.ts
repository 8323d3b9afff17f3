import type { Budget } from '../budget/budget.ts';
import type { Product } from '../catalog/product.ts';
import type { Rupiah } from '../money.ts';
import type { Instant } from '../time.ts';
import type { NotSentReason } from './admit-create.ts';
import type { Attempt, ReconciliationReason, RejectionCode } from './attempt.ts';
import { hasUsableNumber, type Order } from './order.ts';

/** What became of a paid request. Each `kind` is the name of its type in the graph. */
export type CreateOutcome =
  | {
      readonly kind: 'CreateOrderResolved' | 'CreateOrderPendingAssignment';
      readonly attempt: Attempt;
      readonly orders: readonly Order[];
      readonly failedCount: number;
    }
  | {
      readonly kind: 'CreateOrderRejected';
      readonly attempt: Attempt;
      readonly code: RejectionCode;
      readonly httpStatus: number;
    }
  | { readonly kind: 'CreateOrderInsufficientBalance'; readonly attempt: Attempt }
  | {
      readonly kind: 'CreateOrderNeedsReconciliation';
      readonly attempt: Attempt;
      readonly reason: ReconciliationReason;
      readonly nextAttemptAt: Instant;
    }
  | { readonly kind: 'CreateOrderInFlight'; readonly attempt: Attempt }
  | { readonly kind: 'CreateOrderOperatorReview'; readonly attempt: Attempt }
  | { readonly kind: 'CreateOrderConflict'; readonly attempt: Attempt; readonly differing: readonly string[] }
  | NotSent;

/** Refused before anything was stored or sent. */
export interface NotSent {
  readonly kind: 'CreateOrderNotSent';
  readonly attempt: null;
  readonly reason: NotSentReason;
  readonly product: Product | null;
  readonly budget: (Budget & { readonly limit: Rupiah }) | null;
}

/** The present outcome of a stored attempt; `orders` are those it made. */
export function outcomeOf(attempt: Attempt, orders: readonly Order[]): CreateOutcome {
  switch (attempt.state) {
    case 'PREPARED':
    case 'SENDING':
      return { kind: 'CreateOrderInFlight', attempt };
    case 'NEEDS_RECONCILIATION':
      return {
        kind: 'CreateOrderNeedsReconciliation',
        attempt,
        reason: attempt.reason ?? 'UNKNOWN_RESPONSE',
        nextAttemptAt: attempt.nextAttemptAt ?? attempt.replayDeadlineAt,
      };
    case 'RESOLVED':
      return {
        kind: orders.every(isAssigned) ? 'CreateOrderResolved' : 'CreateOrderPendingAssignment',
        attempt,
        orders,
        failedCount: attempt.failedCount,
      };
    // A person found out what the provider would not say: it is settled, with the orders adopted or with none.
    case 'CLOSED':
      return { kind: 'CreateOrderResolved', attempt, orders, failedCount: attempt.quantity - orders.length };
    case 'DEFINITIVE_REJECTION':
      return {
        kind: 'CreateOrderRejected',
        attempt,
        code: attempt.rejection?.code ?? 'VALIDATION_ERROR',
        httpStatus: attempt.rejection?.httpStatus ?? 422,
      };
    case 'INSUFFICIENT_BALANCE':
      return { kind: 'CreateOrderInsufficientBalance', attempt };
    case 'OPERATOR_REVIEW':
      return { kind: 'CreateOrderOperatorReview', attempt };
  }
}

/** An order that ended without a number will get none: nothing is pending about it. */
function isAssigned(order: Order): boolean {
  return hasUsableNumber(order) || order.status === 'CANCELED' || order.status === 'EXPIRED';
}
