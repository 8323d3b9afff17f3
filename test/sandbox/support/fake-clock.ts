import type { Clock } from '../../../src/sandbox/kernel/clock.ts';

export type FakeClock = Clock & {
  /** Moves on, firing each timer at its own moment, and lets promises settle in between. */
  pass(ms: number): Promise<void>;
  /** The same without waiting for promises: for code that is synchronous throughout. */
  passNow(ms: number): void;
};

/** A clock that stands still until told. Starts at 2026-09-02T06:40:00Z, the samples' time. */
export function createFakeClock(start = Date.UTC(2026, 8, 2, 6, 40)): FakeClock {
  let now = start;
  let timers: { due: number; run: () => void }[] = [];

  function next(limit: number): { due: number; run: () => void } | undefined {
    return timers.filter(({ due }) => due <= limit).sort((one, other) => one.due - other.due)[0];
  }
  function fire(timer: { due: number; run: () => void }): void {
    timers = timers.filter((other) => other !== timer);
    now = Math.max(now, timer.due);
    timer.run();
  }

  return {
    now: () => now,
    after(ms, run) {
      const timer = { due: now + Math.max(0, ms), run };
      timers.push(timer);
      return {
        cancel: () => {
          timers = timers.filter((other) => other !== timer);
        },
      };
    },
    async pass(ms) {
      const end = now + ms;
      await settled();
      for (let timer = next(end); timer !== undefined; timer = next(end)) {
        fire(timer);
        await settled();
      }
      now = end;
      await settled();
    },
    passNow(ms) {
      const end = now + ms;
      for (let timer = next(end); timer !== undefined; timer = next(end)) fire(timer);
      now = end;
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
