import { replayBackoff } from '../backoff.ts';
import { earliest, type Instant, instant } from '../time.ts';
import type { Attempt, ReconciliationReason, RejectionCode } from './attempt.ts';
import type { OrderSnapshot } from './order.ts';
import type { PaidReply } from './reply.ts';

/** The state change that a reply leads to. */
export type Transition =
  | { readonly kind: 'resolved'; readonly orders: readonly OrderSnapshot[]; readonly failedCount: number }
  | { readonly kind: 'definitive-rejection'; readonly httpStatus: number; readonly code: RejectionCode }
  | { readonly kind: 'insufficient-balance'; readonly httpStatus: number }
  | {
      readonly kind: 'needs-reconciliation';
      readonly reason: ReconciliationReason;
      readonly httpStatus: number | null;
      readonly errorCode: string | null;
      readonly nextAttemptAt: Instant;
    };

type SettlingAttempt = Pick<Attempt, 'request' | 'quantity' | 'sends' | 'replayDeadlineAt'>;

/** smscode-v1.md, the table of answers. `now` is the store's clock; `attempt.sends` counts the send that was answered. */
export function settle(attempt: SettlingAttempt, reply: PaidReply, now: Instant): Transition {
  switch (reply.kind) {
    case 'transport':
      return unclear(attempt, now, 'TRANSPORT', null);
    case 'http-5xx':
      return unclear(attempt, now, 'HTTP_5XX', reply);
    case 'malformed':
      return unclear(attempt, now, 'MALFORMED_RESPONSE', reply);
    case 'contradictory':
      return unclear(attempt, now, 'CONTRADICTORY_RESPONSE', reply);
    case 'malformed-success':
      return unclear(attempt, now, 'MALFORMED_SUCCESS', reply);
    case 'failure':
      return settleFailure(attempt, reply, now);
    case 'made':
      return reply.orders.length + reply.failedCount === attempt.quantity
        ? { kind: 'resolved', orders: reply.orders, failedCount: reply.failedCount }
        : unclear(attempt, now, 'MALFORMED_SUCCESS', { httpStatus: 200 });
  }
}

function settleFailure(
  attempt: SettlingAttempt,
  reply: Extract<PaidReply, { kind: 'failure' }>,
  now: Instant,
): Transition {
  const { httpStatus, code } = reply;
  const rejection = definitiveCode(attempt, httpStatus, code);
  if (rejection !== null) return { kind: 'definitive-rejection', httpStatus, code: rejection };
  if (httpStatus === 409 && code === 'INSUFFICIENT_BALANCE')
    return { kind: 'insufficient-balance', httpStatus };
  const inProgress = httpStatus === 409 && code === 'REQUEST_IN_PROGRESS';
  return unclear(attempt, now, inProgress ? 'REQUEST_IN_PROGRESS' : 'UNKNOWN_RESPONSE', reply);
}

function definitiveCode(attempt: SettlingAttempt, httpStatus: number, code: string): RejectionCode | null {
  if (httpStatus === 422) {
    switch (code) {
      case 'NO_OFFER_AVAILABLE':
      case 'VALIDATION_ERROR':
      case 'PROVIDER_ERROR':
      case 'IDEMPOTENCY_KEY_REUSED':
        return code;
    }
  }
  // On a replay these two may be the echo of our own first send, still settling or done: no proof that it failed.
  if (attempt.request.kind === 'REACTIVATE' && attempt.sends === 1) {
    if (httpStatus === 404 && code === 'NOT_FOUND') return code;
    if (httpStatus === 409 && code === 'CONFLICT') return code;
  }
  return null;
}

interface Answer {
  readonly httpStatus: number;
  readonly code?: string;
  readonly retryAfterSeconds?: number | null;
}

function unclear(
  attempt: SettlingAttempt,
  now: Instant,
  reason: ReconciliationReason,
  answer: Answer | null,
): Transition {
  const backoff = replayBackoff(attempt.sends, answer?.retryAfterSeconds ?? null);
  return {
    kind: 'needs-reconciliation',
    reason,
    httpStatus: answer?.httpStatus ?? null,
    errorCode: answer?.code ?? null,
    // Compared before added: a Retry-After of centuries must not leave the range of instants.
    nextAttemptAt:
      backoff >= attempt.replayDeadlineAt - now
        ? attempt.replayDeadlineAt
        : earliest(instant(now + backoff), attempt.replayDeadlineAt),
  };
}
