import type { Visibility } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { NotSentReason } from '../../domain/orders/admit-create.ts';
import type { ReactivateRequest } from '../../domain/orders/compare.ts';
import type { Deps } from '../deps.ts';
import { type CreateResult, notSent, prepareAndSend, repeat } from './create-order.ts';
import { draftAttempt } from './draft-attempt.ts';
import { quoteReactivation } from './quote-reactivation.ts';

export type ReactivateResult =
  | CreateResult
  /** No such order for this caller; nothing was asked upstream. */
  | { readonly kind: 'no-order' };

/**
 * Rents the number of a completed order again. Charges, so it goes the way of a create: one durable attempt, its own
 * endpoint and bytes. The quote is read first; `maxCost` is reserved, and sent along, since the quote is no promise.
 */
export async function reactivateOrder(
  deps: Deps,
  scope: Visibility,
  asked: ReactivateRequest,
  by: Actor,
): Promise<ReactivateResult> {
  const known = await deps.store.attempts.find(asked.caller, asked.businessJobId);
  if (known !== null) return { kind: 'outcome', outcome: repeat(known, asked) };

  const { orderId, maxCost } = asked;
  const order = await deps.store.orders.find(scope, orderId);
  if (order === null) return { kind: 'no-order' };
  const quoted = await quoteReactivation(deps, scope, orderId);
  if (quoted.kind === 'fault') {
    const { fault } = quoted;
    return fault.kind === 'unauthorized' || fault.kind === 'not-configured'
      ? quoted
      : refuse('QUOTE_UNAVAILABLE');
  }
  const quote = quoted.outcome;
  if (quote.kind === 'ReactivationUnavailable') {
    return refuse(quote.code === 'PROVIDER_ERROR' ? 'QUOTE_UNAVAILABLE' : 'NOT_REACTIVATABLE');
  }
  if (quote.cost > maxCost) return refuse('PRICE_ABOVE_LIMIT');
  const draft = draftAttempt(deps, asked, {
    request: { kind: 'REACTIVATE', orderId, maxCost },
    catalogProductId: order.catalogProductId,
    quantity: 1,
    reserve: maxCost,
  });
  return prepareAndSend(deps, asked, draft, by);
}

function refuse(reason: NotSentReason): CreateResult {
  return { kind: 'outcome', outcome: notSent({ reason }) };
}
