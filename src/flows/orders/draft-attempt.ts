import { parseAttemptId, parseIdempotencyKey } from '../../domain/ids.ts';
import type { AttemptDraft } from '../../domain/orders/attempt.ts';
import type { CreateRequest, ReactivateRequest } from '../../domain/orders/compare.ts';
import { paidRequest } from '../../domain/orders/request-body.ts';
import type { Deps } from '../deps.ts';
import { fingerprint } from './fingerprint.ts';

type Particulars = Pick<AttemptDraft, 'request' | 'catalogProductId' | 'quantity' | 'reserve'>;

/** Binds a request to its exact bytes and its key, which is made here, and kept, where the caller gave none. */
export function draftAttempt(
  deps: Pick<Deps, 'clock' | 'random'>,
  asked: CreateRequest | ReactivateRequest,
  particulars: Particulars,
): AttemptDraft {
  const { endpoint, body } = paidRequest(particulars.request);
  const id = parseAttemptId(risingToken(deps));
  const idempotencyKey = asked.idempotencyKey ?? parseIdempotencyKey(risingToken(deps));
  if (id === null || idempotencyKey === null) throw new Error('random tokens must be of A-Z a-z 0-9 _ -');
  return {
    ...particulars,
    id,
    caller: asked.caller,
    businessJobId: asked.businessJobId,
    endpoint,
    body,
    fingerprint: fingerprint(endpoint, body),
    idempotencyKey,
    reviewThresholdAt: asked.reviewThresholdAt,
  };
}

/** Of 36 to the ninth milliseconds: enough for five thousand years. */
const TIME_DIGITS = 9;

/**
 * Begins with the time: what is made together stands together in every index. Without it each attempt and each of its
 * events changes a page of its own, and half of what a create writes is such pages.
 */
function risingToken({ clock, random }: Pick<Deps, 'clock' | 'random'>): string {
  return clock.now().toString(36).padStart(TIME_DIGITS, '0') + random.token();
}
