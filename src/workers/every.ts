import { later } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Worker } from './loop.ts';

/** A worker that does one thing at once and then every `interval` milliseconds, from start to start. */
export function every(
  clock: Clock,
  name: string,
  interval: number,
  work: (signal: AbortSignal) => Promise<void>,
): Worker {
  let dueAt = clock.now();
  return {
    name,
    wokenBy: [],
    async round(signal) {
      const now = clock.now();
      // A clock set back an hour must not stop the work for an hour.
      if (now >= dueAt || dueAt - now > interval) {
        dueAt = later(now, interval);
        await work(signal);
      }
      return Math.max(dueAt - clock.now(), 0);
    },
  };
}
