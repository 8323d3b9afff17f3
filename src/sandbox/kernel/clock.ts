export type Timer = { cancel(): void };

/** The time a sandbox lives in. `now` is in epoch milliseconds; `after` runs once, `ms` milliseconds from now. */
export type Clock = {
  now(): number;
  after(ms: number, run: () => void): Timer;
};

/** Node fires a timer longer than this at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers do not keep the process alive: a listening sandbox does that itself. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let handle: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
      handle = setTimeout(() => (left > step ? wait(left - step) : run()), step);
      handle.unref();
    };
    wait(ms);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves `ms` milliseconds later on `clock`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** An instant of the clock as both contracts write it: RFC 3339 in UTC, `Z`. */
export function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
