import { parseAttemptId, parseIdempotencyKey } from '../../domain/ids.ts';
import type { AttemptDraft } from '../../domain/orders/attempt.ts';
import type { CreateRequest, ReactivateRequest } from '../../domain/orders/compare.ts';
import { paidRequest } from '../../domain/orders/request-body.ts';
import type { Random } from '../../ports/random.ts';
import { fingerprint } from './fingerprint.ts';

type Particulars = Pick<AttemptDraft, 'request' | 'catalogProductId' | 'quantity' | 'reserve'>;

/** Binds a request to its exact bytes and its key, which is made here, and kept, where the caller gave none. */
export function draftAttempt(
  random: Random,
  asked: CreateRequest | ReactivateRequest,
  particulars: Particulars,
): AttemptDraft {
  const { endpoint, body } = paidRequest(particulars.request);
  const id = parseAttemptId(random.token());
  const idempotencyKey = asked.idempotencyKey ?? parseIdempotencyKey(random.token());
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
