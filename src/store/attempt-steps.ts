import { noRupiah } from '../domain/money.ts';
import { admitSend } from '../domain/orders/admit-send.ts';
import {
  type Attempt,
  type AttemptDraft,
  type AttemptEvent,
  attemptNotes,
  LONGEST_REPLAY,
  replayDeadline,
  SEND_LEASE,
} from '../domain/orders/attempt.ts';
import type { Transition } from '../domain/orders/settle.ts';
import { type Instant, later } from '../domain/time.ts';

/**
 * An attempt moved on, with the events that moved it. Every store writes both in one transaction. Pure, and shared by
 * the stores, so that an attempt's history cannot come to mean two things.
 */
export interface AttemptStep {
  readonly attempt: Attempt;
  readonly events: readonly AttemptEvent[];
}

type Told = Partial<Pick<AttemptEvent, 'httpStatus' | 'errorCode' | 'note'>>;

/** A new attempt, in SENDING, or in OPERATOR_REVIEW when its deadline has passed already. `now` is the store's clock. */
export function beginAttempt(draft: AttemptDraft, now: Instant): AttemptStep {
  const { reserve, reviewThresholdAt, ...bound } = draft;
  const threshold = reviewThresholdAt ?? later(now, LONGEST_REPLAY);
  const blank: Attempt = {
    ...bound,
    state: 'PREPARED',
    reason: null,
    rejection: null,
    failedCount: 0,
    sends: 0,
    version: 0,
    startedAt: now,
    reviewThresholdAt: threshold,
    replayDeadlineAt: replayDeadline(threshold, now),
    nextAttemptAt: null,
    leaseUntil: null,
    reserved: reserve,
  };
  const prepared = appended({ attempt: blank, events: [] }, now, { state: 'PREPARED' });
  return movedOn(prepared, admitSend(prepared.attempt, now).kind === 'review', now);
}

/** By the domain's decision: one more send, or a person's review. Null where nothing may be done now. */
export function takeAttempt(attempt: Attempt, now: Instant): AttemptStep | null {
  const decision = admitSend(attempt, now);
  if (decision.kind !== 'send' && decision.kind !== 'review') return null;
  const start: AttemptStep = { attempt, events: [] };
  const found = decision.senderLost
    ? appended(start, now, { state: 'NEEDS_RECONCILIATION', reason: 'SENDER_LOST', nextAttemptAt: now })
    : start;
  return movedOn(found, decision.kind === 'review', now);
}

/** What a reply's transition makes of a sending attempt. Its reserve is freed with every outcome that is known. */
export function settleAttempt(
  attempt: Attempt,
  transition: Transition,
  now: Instant,
  note: string | null,
): AttemptStep {
  const start: AttemptStep = { attempt, events: [] };
  switch (transition.kind) {
    case 'resolved': {
      const known = { state: 'RESOLVED', failedCount: transition.failedCount, reserved: noRupiah } as const;
      return appended(start, now, known, { httpStatus: 200, note });
    }
    case 'definitive-rejection': {
      const { httpStatus, code } = transition;
      const rejection = { code, httpStatus };
      const known = { state: 'DEFINITIVE_REJECTION', rejection, reserved: noRupiah } as const;
      return appended(start, now, known, { httpStatus, errorCode: code, note });
    }
    case 'insufficient-balance': {
      const told = { httpStatus: transition.httpStatus, errorCode: 'INSUFFICIENT_BALANCE', note };
      return appended(start, now, { state: 'INSUFFICIENT_BALANCE', reserved: noRupiah }, told);
    }
    // Unknown is not failed: the reserve stays until a replay answers.
    case 'needs-reconciliation': {
      const { reason, nextAttemptAt, httpStatus, errorCode } = transition;
      const unclear = { state: 'NEEDS_RECONCILIATION', reason, nextAttemptAt } as const;
      return appended(start, now, unclear, { httpStatus, errorCode, note });
    }
  }
}

/** A person's finding: whatever was held is free, and what the adopted orders cost is booked with them. */
export function closeAttempt(attempt: Attempt, now: Instant, note: string): AttemptStep {
  return appended({ attempt, events: [] }, now, { state: 'CLOSED', reserved: noRupiah }, { note });
}

function movedOn(step: AttemptStep, toReview: boolean, now: Instant): AttemptStep {
  if (toReview) {
    const why = now >= step.attempt.replayDeadlineAt ? attemptNotes.deadlinePassed : attemptNotes.outOfSends;
    return appended(step, now, { state: 'OPERATOR_REVIEW' }, { note: why });
  }
  const sends = step.attempt.sends + 1;
  return appended(step, now, { state: 'SENDING', sends, leaseUntil: later(now, SEND_LEASE) });
}

/** One more event. What belongs to a single state (reason, next time, lease) is cleared unless the change names it. */
function appended(
  step: AttemptStep,
  now: Instant,
  change: Pick<Attempt, 'state'> & Partial<Attempt>,
  told: Told = {},
): AttemptStep {
  const version = step.attempt.version + 1;
  const attempt: Attempt = {
    ...step.attempt,
    reason: null,
    nextAttemptAt: null,
    leaseUntil: null,
    ...change,
    version,
  };
  const event: AttemptEvent = {
    version,
    state: attempt.state,
    reason: attempt.reason,
    httpStatus: told.httpStatus ?? null,
    errorCode: told.errorCode ?? null,
    note: told.note ?? null,
    sends: attempt.sends,
    nextAttemptAt: attempt.nextAttemptAt,
    at: now,
  };
  return { attempt, events: [...step.events, event] };
}
