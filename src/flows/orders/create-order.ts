import type { Actor } from '../../domain/audit.ts';
import { admitCreate } from '../../domain/orders/admit-create.ts';
import type { AttemptDraft } from '../../domain/orders/attempt.ts';
import { type CreateRequest, differingFields, type ReactivateRequest } from '../../domain/orders/compare.ts';
import type { NotSent } from '../../domain/orders/outcome.ts';
import { type CreateOutcome, outcomeOf } from '../../domain/orders/outcome.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { AttemptWithOrders } from '../../ports/store/attempts.ts';
import type { Deps } from '../deps.ts';
import { reachedReview } from '../watch/watch-reviews.ts';
import { draftAttempt } from './draft-attempt.ts';
import { sendClaimed } from './send-attempt.ts';

export type CreateResult =
  | { readonly kind: 'outcome'; readonly outcome: CreateOutcome }
  /** The idempotency key belongs to another attempt. Nothing was stored or sent. */
  | { readonly kind: 'key-taken' }
  /** The product could not be read fresh enough. Nothing was stored or sent. */
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/**
 * Orders numbers for a job, once, however often it is asked for (gateway.md, promise 1). A job that is known is
 * answered with its present outcome and sends nothing; a new one is admitted, prepared and sent once.
 */
export async function createOrder(deps: Deps, asked: CreateRequest, by: Actor): Promise<CreateResult> {
  const known = await deps.store.attempts.find(asked.caller, asked.businessJobId);
  if (known !== null) return { kind: 'outcome', outcome: repeat(known, asked) };

  const offer = await deps.catalog.offer(asked.catalogProductId, asked.routing, deps.settings.productMaxAge);
  if (offer.kind !== 'read') return { kind: 'fault', fault: offer };
  const quantity = asked.quantity ?? 1;
  const admission = admitCreate(offer.value, { ...asked, quantity });
  if (admission.kind === 'not-sent') {
    return { kind: 'outcome', outcome: notSent({ reason: admission.reason, product: admission.product }) };
  }
  const { catalogProductId, maxUnitPrice, routing } = asked;
  const draft = draftAttempt(deps, asked, {
    request: { kind: 'CREATE', catalogProductId, quantity, maxUnitPrice, routing },
    catalogProductId,
    quantity,
    reserve: admission.reserve,
  });
  return prepareAndSend(deps, asked, draft, by);
}

/** From a draft on, a reactivation goes the same way as a create. */
export async function prepareAndSend(
  deps: Deps,
  asked: CreateRequest | ReactivateRequest,
  draft: AttemptDraft,
  by: Actor,
): Promise<CreateResult> {
  const prepared = await deps.store.attempts.prepare(draft, deps.random.token(), by);
  switch (prepared.kind) {
    case 'key-taken':
      return { kind: 'key-taken' };
    case 'over-budget': {
      const { limit } = prepared.budget;
      const budget = limit === null ? null : { ...prepared.budget, limit };
      return { kind: 'outcome', outcome: notSent({ reason: 'BUDGET_EXCEEDED', budget }) };
    }
    // Another request for the same job was faster.
    case 'known': {
      const known = await deps.store.attempts.find(asked.caller, asked.businessJobId);
      return { kind: 'outcome', outcome: repeat(known ?? { attempt: prepared.attempt, orders: [] }, asked) };
    }
    case 'fresh': {
      const { attempt, claim } = prepared;
      if (claim === null) {
        await reachedReview(deps, attempt);
        return { kind: 'outcome', outcome: outcomeOf(attempt, []) };
      }
      return { kind: 'outcome', outcome: await sendClaimed(deps, attempt, claim) };
    }
  }
}

/** The present outcome of a job asked for again, or in what the request differs from the one it is bound to. */
export function repeat(known: AttemptWithOrders, asked: CreateRequest | ReactivateRequest): CreateOutcome {
  const differing = differingFields(known.attempt, asked);
  if (differing.length > 0) return { kind: 'CreateOrderConflict', attempt: known.attempt, differing };
  return outcomeOf(known.attempt, known.orders);
}

export function notSent(
  what: Pick<NotSent, 'reason'> & Partial<Pick<NotSent, 'product' | 'budget'>>,
): NotSent {
  return { kind: 'CreateOrderNotSent', attempt: null, product: null, budget: null, ...what };
}
