import { z } from 'zod';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import { type Answer, done, refused } from './answer.ts';

export type PaidOperation = 'create' | 'reactivate';

/** Either the answer that the key's past gives, or the key is now held until `settle`. */
export type Ticket =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'held'; settle(answer: Answer): Answer };

export type IdempotencyKeys = {
  /** `body` as a canonical text of its values; without a key nothing is deduplicated. */
  take(operation: PaidOperation, key: string | null, body: string): Ticket;
};

const keptSchema = z.object({ body: z.string(), data: z.unknown(), at: z.number() });
type Kept = z.output<typeof keptSchema>;

/** Keys are kept for a day, and only with a result: a failure frees its key (reference, 14). */
const KEPT_MS = 24 * 3600 * 1000;

export function openIdempotencyKeys(clock: Clock, journal: Journal): IdempotencyKeys {
  const kept = new Map<string, Kept>();
  const running = new Map<string, string>();
  for (const [name, value] of journal.entries('key')) kept.set(name, keptSchema.parse(value));

  /** The oldest come first: nothing is ever put in again under a name that is still there. */
  function forgetOld(): void {
    for (const [name, { at }] of kept) {
      if (clock.now() - at < KEPT_MS) return;
      kept.delete(name);
      journal.put('key', name, undefined);
    }
  }

  return {
    take(operation, key, body) {
      if (key === null) return { kind: 'held', settle: (answer) => answer };
      forgetOld();
      const name = `${operation} ${key}`;
      const before = kept.get(name);
      const known = before?.body ?? running.get(name);
      if (known !== undefined && known !== body) return REUSED;
      if (before !== undefined) return { kind: 'answered', answer: done(before.data) };
      if (known !== undefined) return IN_PROGRESS;
      running.set(name, body);
      return {
        kind: 'held',
        // In the same step as the effect: the charge and its key must get into one line of the journal.
        settle(answer) {
          running.delete(name);
          if (answer.kind === 'done') {
            const entry = { body, data: answer.data, at: clock.now() };
            kept.set(name, entry);
            journal.put('key', name, entry);
          }
          return answer;
        },
      };
    },
  };
}

const REUSED: Ticket = {
  kind: 'answered',
  answer: refused('IDEMPOTENCY_KEY_REUSED', 'That key came with another body before'),
};
const IN_PROGRESS: Ticket = {
  kind: 'answered',
  answer: refused('REQUEST_IN_PROGRESS', 'The first request under that key is still running'),
};
