import { instant } from './domain/time.ts';
import type { Clock } from './ports/clock.ts';

/** Node fires a timer longer than this at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own time: the one place that reads it and sets timers. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const cancel = timer(milliseconds, true, () => {
        signal?.removeEventListener('abort', wake);
        resolve();
      });
      const wake = (): void => {
        cancel();
        resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
    });
  },
  after: (milliseconds, callback) => timer(milliseconds, false, callback),
};

/** A timer of any length, in steps that Node can keep. Returns what cancels it. */
function timer(milliseconds: number, keepsAlive: boolean, callback: () => void): () => void {
  let handle: NodeJS.Timeout;
  const wait = (left: number): void => {
    const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
    handle = setTimeout(() => (left > step ? wait(left - step) : callback()), step);
    if (!keepsAlive) handle.unref();
  };
  wait(milliseconds);
  return () => clearTimeout(handle);
}
