import { DAY, type Instant, instant } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { answered } from './store-under-test.ts';
import { start } from './values.ts';

/** A clock that stands still until told. */
export interface FakeClock extends Clock {
  /** Moves on, firing those timers together that are due at the same moment, and lets everything settle in between. */
  pass(milliseconds: number): Promise<void>;
  /** Moves on to each next timer until the promise is settled. Fails where no timer could settle it. */
  until<Value>(promise: Promise<Value>): Promise<Value>;
  /** Timers that are neither fired nor cancelled. */
  readonly timers: () => number;
  /** Lets everything settle at this very moment. */
  settle(): Promise<void>;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

export function createFakeClock(from: Instant = start, settle: () => Promise<void> = settled): FakeClock {
  let now = from;
  const timers = new Set<Timer>();

  /** The earliest; of equals, the first that was set. */
  function next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (first === undefined || timer.due < first.due) first = timer;
    }
    return first;
  }

  function fireAll(due: number): void {
    now = instant(Math.max(now, due));
    for (const timer of [...timers]) {
      // One that fires may cancel another.
      if (timer.due === due && timers.delete(timer)) timer.run();
    }
  }

  function after(milliseconds: number, run: () => void): () => void {
    const timer = { due: Math.ceil(now + Math.max(0, milliseconds)), run };
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  }

  return {
    now: () => now,
    after,
    sleep(milliseconds, signal) {
      return new Promise((resolve) => {
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
      });
    },
    async pass(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (let timer = next(); timer !== undefined && timer.due <= end; timer = next()) {
        fireAll(timer.due);
        await settle();
      }
      now = instant(end);
    },
    async until(promise) {
      let isOver = false;
      const over = (): void => {
        isOver = true;
      };
      promise.then(over, over);
      const limit = now + DAY;
      for (;;) {
        await settle();
        if (isOver) return promise;
        const timer = next();
        // Workers set timers for ever.
        if (timer === undefined || timer.due > limit) throw new Error('nothing settles the promise');
        fireAll(timer.due);
      }
    },
    timers: () => timers.size,
    settle,
  };
}

/** Waits until nothing goes on by itself any more: no promise reaction, no turn of the event loop that was asked for, no call of a store. */
export async function settled(): Promise<void> {
  do {
    do await new Promise((resolve) => setImmediate(resolve));
    while (process.getActiveResourcesInfo().includes('Immediate'));
  } while (await answered());
}
