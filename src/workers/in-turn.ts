import type { Deps } from '../flows/deps.ts';
import type { TurnName } from '../ports/store/turns.ts';
import type { Worker } from './loop.ts';

/** What one instance does for all, every `interval` milliseconds from start to start. A restart does not bring it forward. */
export function inTurn(
  deps: Pick<Deps, 'store' | 'clock'>,
  name: TurnName,
  interval: number,
  work: (signal: AbortSignal) => Promise<void>,
): Worker {
  return {
    name,
    wokenBy: [],
    async round(signal) {
      const wait = await deps.store.turns.take(name, interval, interval);
      if (wait > 0) return wait;
      const startedAt = deps.clock.now();
      await work(signal);
      return Math.max(interval - (deps.clock.now() - startedAt), 1);
    },
  };
}
