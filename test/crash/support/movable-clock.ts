import { type Instant, instant } from '../../../src/domain/time.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { systemClock } from '../../../src/system-clock.ts';

/** The machine's time, ahead of itself: leases of minutes run out in no time, and timers that they make due fire. */
export interface MovableClock extends Clock {
  skip(milliseconds: number): void;
}

interface Timer {
  readonly due: Instant;
  readonly run: () => void;
  cancel(): void;
}

export function createMovableClock(aheadMs: number): MovableClock {
  let ahead = aheadMs;
  const timers = new Set<Timer>();
  const now = (): Instant => instant(systemClock.now() + ahead);

  function arm(timer: Timer): void {
    timer.cancel = systemClock.after(Math.max(timer.due - now(), 0), () => {
      timers.delete(timer);
      timer.run();
    });
  }

  function after(milliseconds: number, run: () => void): () => void {
    const timer: Timer = { due: instant(now() + Math.max(0, milliseconds)), run, cancel: () => {} };
    timers.add(timer);
    arm(timer);
    return () => {
      timers.delete(timer);
      timer.cancel();
    };
  }

  return {
    now,
    after,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const cancel = after(milliseconds, () => {
          signal?.removeEventListener('abort', wake);
          resolve();
        });
        const wake = (): void => {
          cancel();
          resolve();
        };
        signal?.addEventListener('abort', wake, { once: true });
      }),
    skip(milliseconds) {
      ahead += milliseconds;
      for (const timer of timers) {
        timer.cancel();
        arm(timer);
      }
    },
  };
}
