import { type Instant, instant } from '../../../src/domain/time.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log, LogFields } from '../../../src/ports/log.ts';
import type { Random } from '../../../src/ports/random.ts';

export interface SteppedClock extends Clock {
  /** How long each sleep was; sleeping moves the clock at once. */
  readonly sleeps: number[];
  /** Moves the time on and fires the timers that fall due, in their order. */
  advance(milliseconds: number): void;
  /** Timers neither fired nor cancelled. */
  readonly timers: () => number;
}

export function steppedClock(): SteppedClock {
  let now = 1_790_000_000_000;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const sleeps: number[] = [];
  const clock: SteppedClock = {
    sleeps,
    timers: () => timers.size,
    now: (): Instant => instant(now),
    sleep(milliseconds) {
      sleeps.push(milliseconds);
      now += Math.ceil(milliseconds);
      return Promise.resolve();
    },
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at <= now && timers.delete(timer)) timer.callback();
      }
    },
  };
  return clock;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps every line, and fails the test that hands it an error: its text would go out unseen. */
export function keptLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields });
    };
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return { log, lines };
}

export function countingRandom(): Random {
  let count = 0;
  return { token: () => `request-${++count}`, unit: () => 0.5 };
}
