import type { Deps } from '../flows/deps.ts';
import { replayAttempt } from '../flows/orders/send-attempt.ts';
import { pooled } from '../flows/pooled.ts';
import type { Worker } from './loop.ts';

/** Due attempts looked at in one round, and sent at once: a storm of replays must not follow an outage. */
const BATCH = 50;
const SENDS_AT_ONCE = 4;
/** How often it looks although nothing told it to: leases of senders that died on other machines run out without a wake. */
const LOOKS_EVERY = 5_000;

/** Replays paid attempts that are due, and takes over from senders that died (smscode-v1.md, The durable attempt). */
export function reconciler(deps: Deps): Worker {
  return {
    name: 'reconciler',
    wokenBy: ['attempts-due'],
    async round(signal) {
      const due = await deps.store.attempts.due(BATCH);
      await pooled(due, SENDS_AT_ONCE, async (id) => {
        if (!signal.aborted) await replayAttempt(deps, id);
      });
      if (due.length === BATCH) return 0;
      const next = await deps.store.attempts.nextDueAt();
      if (next === null) return LOOKS_EVERY;
      return Math.min(Math.max(next - (await deps.store.now()), 1), LOOKS_EVERY);
    },
  };
}
