import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Wake, WakeKey } from '../ports/wake.ts';

/** How often it looks should the wake be lost. */
const LOOKS_EVERY = SECOND;

/** Looks until there is something to see: at once, at each wake of the key, and every second. When to give up, `look` says. */
export async function lookUntil<Seen>(
  deps: { readonly clock: Clock; readonly wake: Wake },
  key: WakeKey,
  look: () => Promise<Seen | null>,
): Promise<Seen> {
  for (;;) {
    const woken = new AbortController();
    // Listen before looking: what happens in between is not slept over.
    const unlisten = deps.wake.listen([key], () => woken.abort());
    try {
      const seen = await look();
      if (seen !== null) return seen;
      await deps.clock.sleep(LOOKS_EVERY, woken.signal);
    } finally {
      unlisten();
    }
  }
}
