import type { Instant } from '../time.ts';
import { type Attempt, isFinal, MOST_SENDS } from './attempt.ts';

/** May this attempt be sent at this moment? */
export type SendDecision =
  /** `senderLost`: the last sender's lease ran out without an answer. */
  | { readonly kind: 'send'; readonly senderLost: boolean }
  /** Past the deadline or out of sends: held for a person, never sent again by itself. */
  | { readonly kind: 'review'; readonly senderLost: boolean }
  /** Another holder's lease is running. */
  | { readonly kind: 'held' }
  | { readonly kind: 'not-due' }
  | { readonly kind: 'final' };

/** smscode-v1.md, The durable attempt, steps 1 to 3. `now` is the store's clock. */
export function admitSend(attempt: Attempt, now: Instant): SendDecision {
  if (isFinal(attempt.state)) return { kind: 'final' };
  if (attempt.leaseUntil !== null && now < attempt.leaseUntil) return { kind: 'held' };
  const senderLost = attempt.state === 'SENDING';
  if (now >= attempt.replayDeadlineAt || attempt.sends >= MOST_SENDS) return { kind: 'review', senderLost };
  if (attempt.nextAttemptAt !== null && now < attempt.nextAttemptAt) return { kind: 'not-due' };
  return { kind: 'send', senderLost };
}
