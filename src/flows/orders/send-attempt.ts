import type { AttemptId } from '../../domain/ids.ts';
import { type Attempt, type Claim, SEND_LEASE } from '../../domain/orders/attempt.ts';
import { hasUsableNumber } from '../../domain/orders/order.ts';
import { type CreateOutcome, outcomeOf } from '../../domain/orders/outcome.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import { SECOND } from '../../domain/time.ts';
import type { Settled } from '../../ports/store/attempts.ts';
import type { Deps } from '../deps.ts';
import { pooled } from '../pooled.ts';
import { recordSnapshot } from '../sms/record-snapshot.ts';

/** One GET for each order without a number; more at once would only push a batch of a hundred ahead of other callers. */
const ASSIGNMENT_READS_AT_ONCE = 4;

/** Replays a due attempt once: the reconciler's way in. Does nothing when it is not to be sent. */
export async function replayAttempt(deps: Deps, id: AttemptId): Promise<void> {
  const taken = await deps.store.attempts.take(id, deps.random.token());
  if (taken.kind === 'claimed') {
    await sendClaimed(deps, taken.attempt, taken.claim);
    return;
  }
  if (taken.attempt.state === 'OPERATOR_REVIEW') {
    deps.metrics.attemptReached('OPERATOR_REVIEW');
    deps.log.warn('a paid attempt waits for a person', { attemptId: id, sends: taken.attempt.sends });
  }
}

/**
 * Sends a claimed attempt, whose SENDING is committed, exactly once, and writes down what came of it. There is no
 * retry around the send: an unclear answer is the reconciler's, later, with the same bytes and key.
 */
export async function sendClaimed(deps: Deps, attempt: Attempt, claim: Claim): Promise<CreateOutcome> {
  const reply = await deps.numbers.sendPaid(attempt);
  const settled = await settleSurely(deps, claim, reply);
  const log = deps.log.child({ attemptId: attempt.id, sends: attempt.sends, reply: reply.kind });
  if (settled.kind === 'claim-lost') {
    log.warn('an answer came after its claim was lost; it is kept as evidence');
    return outcomeOf(settled.attempt, []);
  }
  deps.metrics.attemptReached(settled.attempt.state);
  log.info('a paid attempt was sent', { state: settled.attempt.state, reason: settled.attempt.reason });
  if (settled.attempt.state === 'INSUFFICIENT_BALANCE') await deps.balance.read();
  if (settled.attempt.state !== 'RESOLVED') return outcomeOf(settled.attempt, settled.orders);

  deps.balance.refreshSoon();
  const unassigned = settled.orders.filter((order) => !hasUsableNumber(order));
  if (unassigned.length === 0) return outcomeOf(settled.attempt, settled.orders);
  await pooled(unassigned, ASSIGNMENT_READS_AT_ONCE, async (order) => {
    // Exactly one: a number that is still missing then is the poller's to find, and never a reason to create again.
    const read = await deps.numbers.order(order.id);
    if (read.kind === 'read') await recordSnapshot(deps, read.value, read.readAt);
  });
  const now = await deps.store.attempts.find(attempt.caller, attempt.businessJobId);
  return outcomeOf(settled.attempt, now?.orders ?? settled.orders);
}

/**
 * The answer may mean that money is gone: a full disk or a busy database must not lose it while the lease lasts.
 * After that the attempt still says SENDING, and the next holder replays it.
 */
async function settleSurely(deps: Deps, claim: Claim, reply: PaidReply): Promise<Settled> {
  const giveUpAt = deps.clock.now() + SEND_LEASE;
  for (let wait = SECOND / 4; ; wait = Math.min(wait * 2, 5 * SECOND)) {
    try {
      return await deps.store.attempts.settle(claim, reply);
    } catch (error) {
      deps.log.error('the outcome of a paid send could not be stored', { attemptId: claim.attemptId }, error);
      if (deps.clock.now() + wait >= giveUpAt) throw error;
      await deps.clock.sleep(wait);
    }
  }
}
