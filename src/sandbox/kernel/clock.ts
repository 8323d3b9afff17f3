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

/**
 * An instant of the clock as both contracts write it: RFC 3339 in UTC, `Z`. A read of ten thousand orders has twice as
 * many; toISOString for each would be half of its time, so the day's part is made once.
 */
export function instant(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS);
  let date = dates.get(day);
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 11);
    dates.set(day, date);
  }
  const ms = Math.floor(epochMs - day * DAY_MS);
  const seconds = Math.floor(ms / 1000);
  return `${date}${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}Z`;
}

const DAY_MS = 24 * 3600 * 1000;
const dates = new Map<number, string>();

function two(value: number): string {
  return value < 10 ? `0${Math.floor(value)}` : String(Math.floor(value));
}
