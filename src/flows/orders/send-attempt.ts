import type { AttemptId } from '../../domain/ids.ts';
import { type Attempt, type Claim, SEND_LEASE } from '../../domain/orders/attempt.ts';
import { hasUsableNumber } from '../../domain/orders/order.ts';
import { type CreateOutcome, outcomeOf } from '../../domain/orders/outcome.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import type { Settled } from '../../ports/store/attempts.ts';
import type { Deps } from '../deps.ts';
import { pooled } from '../pooled.ts';
import { refreshOrder } from '../sms/refresh-order.ts';
import { surely } from '../surely.ts';
import { reachedReview } from '../watch/watch-reviews.ts';

/** One GET for each order without a number; more at once would only push a batch of a hundred ahead of other callers. */
const ASSIGNMENT_READS_AT_ONCE = 4;

/** Replays a due attempt once: the reconciler's way in. Does nothing when it is not to be sent. */
export async function replayAttempt(deps: Deps, id: AttemptId): Promise<void> {
  const taken = await deps.store.attempts.take(id, deps.random.token());
  if (taken.kind === 'claimed') {
    await sendClaimed(deps, taken.attempt, taken.claim);
    return;
  }
  if (taken.attempt.state === 'OPERATOR_REVIEW') await reachedReview(deps, taken.attempt);
}

/**
 * Sends a claimed attempt, whose SENDING is committed, exactly once, and writes down what came of it. There is no
 * retry around the send: an unclear answer is the reconciler's, later, with the same bytes and key.
 */
export async function sendClaimed(deps: Deps, attempt: Attempt, claim: Claim): Promise<CreateOutcome> {
  const reply = await deps.numbers.sendPaid(attempt);
  const settled = await settleSurely(deps, claim, reply);
  const sent = { attemptId: attempt.id, sends: attempt.sends, reply: reply.kind };
  if (settled.kind === 'claim-lost') {
    deps.log.warn('an answer came after its claim was lost; it is kept as evidence', sent);
    // Who took over may have settled it: the asker is told of its orders as anybody would be who asks again.
    const known = await deps.store.attempts.find(attempt.caller, attempt.businessJobId);
    return outcomeOf(known?.attempt ?? settled.attempt, known?.orders ?? []);
  }
  deps.metrics.attemptReached(settled.attempt.state);
  const { state, reason } = settled.attempt;
  deps.log.info('a paid attempt was sent', { ...sent, state, reason });
  if (settled.attempt.state === 'INSUFFICIENT_BALANCE') await readBalance(deps);
  if (settled.attempt.state !== 'RESOLVED') return outcomeOf(settled.attempt, settled.orders);

  deps.balance.refreshSoon();
  const unassigned = settled.orders.filter((order) => !hasUsableNumber(order));
  if (unassigned.length === 0) return outcomeOf(settled.attempt, settled.orders);
  // Exactly one: a number that is still missing then is the poller's to find, and never a reason to create again.
  await pooled(unassigned, ASSIGNMENT_READS_AT_ONCE, (order) => refreshOrder(deps, order.id));
  const now = await deps.store.attempts.find(attempt.caller, attempt.businessJobId);
  return outcomeOf(settled.attempt, now?.orders ?? settled.orders);
}

/** For the caller to be shown. What came of the attempt is settled, and is told whether or not this can be read and kept. */
async function readBalance(deps: Deps): Promise<void> {
  try {
    await deps.balance.read();
  } catch (error) {
    deps.log.error('the balance could not be kept', {}, error);
  }
}

/**
 * The answer may mean that money is gone: it is tried to be kept while the lease lasts. After that the attempt still
 * says SENDING, and the next holder replays it.
 */
function settleSurely(deps: Deps, claim: Claim, reply: PaidReply): Promise<Settled> {
  const message = 'the outcome of a paid send could not be stored';
  const failure = { message, fields: { attemptId: claim.attemptId } };
  return surely(deps, SEND_LEASE, failure, () => deps.store.attempts.settle(claim, reply));
}
