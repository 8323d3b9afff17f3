import type { Clock } from '../../src/ports/clock.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/**
 * A process that can stand still, and die: between any two of its calls of store, upstream or catalog, before such a
 * call, or behind it. A dead one never hears of anything again: its promises stay open for ever, as after SIGKILL.
 */
export interface Life {
  readonly isOver: () => boolean;
  /** A call of the process: now and then slow to begin, and dying before or behind it where that is due. */
  cross<Result>(point: string, work: () => Promise<Result>): Promise<Result>;
  /** The clock as the process sees it: what falls due while it stands still comes when it goes on. */
  readonly clock: Clock;
  /** Lets it die at its n-th next crossing. */
  dieAt(crossing: number, behind: boolean): void;
  /** As SIGSTOP, and SIGCONT so many milliseconds later at the latest. */
  pause(milliseconds: number): void;
  /** The same behind its n-th next crossing: with an answer in hand that it has not yet acted upon. */
  pauseAt(crossing: number, milliseconds: number): void;
  goOn(): void;
  end(): void;
}

export interface LifeParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  /** The share of calls that are slow to begin: others get in between. */
  readonly jitter: number;
  readonly onEnd: (point: string) => void;
}

const LONGEST_JITTER = 400;
/** Follows in the same turn of the event loop on the read that it acts upon. */
const PROMPT = 'store.inbox.apply';

export function createLife({ clock, random, jitter, onEnd }: LifeParts): Life {
  let isOver = false;
  let left = Number.POSITIVE_INFINITY;
  let isBehind = false;
  let leftToPause = Number.POSITIVE_INFINITY;
  let pauseFor = 0;
  let standstill: { readonly over: Promise<void>; readonly end: () => void } | null = null;

  function end(point: string): void {
    if (isOver) return;
    isOver = true;
    onEnd(point);
  }

  async function goesOn(): Promise<void> {
    while (standstill !== null) await standstill.over;
  }

  function goOn(): void {
    const ended = standstill;
    standstill = null;
    ended?.end();
  }

  function pause(milliseconds: number): void {
    if (standstill !== null) return;
    let wake = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      wake = resolve;
    });
    standstill = { over, end: wake };
    clock.after(milliseconds, goOn);
  }

  function after(milliseconds: number, run: () => void): () => void {
    let isCancelled = false;
    const cancel = clock.after(milliseconds, () => {
      const due = (): void => {
        if (!isOver && !isCancelled) run();
      };
      if (standstill === null) due();
      else void goesOn().then(due);
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  return {
    isOver: () => isOver,
    clock: {
      now: clock.now,
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
    },
    async cross(point, work) {
      await goesOn();
      if (point !== PROMPT && random.chance(jitter)) await clock.sleep(random.integer(0, LONGEST_JITTER));
      await goesOn();
      if (isOver) return never();
      left -= 1;
      leftToPause -= 1;
      const stops = leftToPause === 0;
      const dies = left <= 0;
      if (dies && !isBehind) {
        end(`before ${point}`);
        return never();
      }
      try {
        const result = await work();
        if (stops) pause(pauseFor);
        if (dies) end(`behind ${point}`);
        await goesOn();
        return isOver ? never() : result;
      } catch (error) {
        await goesOn();
        if (isOver) return never();
        throw error;
      }
    },
    dieAt(crossing, behind) {
      left = crossing;
      isBehind = behind;
    },
    pause,
    pauseAt(crossing, milliseconds) {
      leftToPause = crossing;
      pauseFor = milliseconds;
    },
    goOn,
    end: () => end('between two calls'),
  };
}

function never<Result>(): Promise<Result> {
  return new Promise(() => undefined);
}

/** The same port, with each call of its functions, and of those of its parts, as a crossing. All of them must be async. */
export function mortal<Port extends object>(life: Life, name: string, port: Port): Port {
  const parts = new Map<PropertyKey, unknown>();
  return new Proxy(port, {
    get(target, key) {
      const known = parts.get(key);
      if (known !== undefined) return known;
      const made = part(Reflect.get(target, key), `${name}.${String(key)}`);
      parts.set(key, made);
      return made;
    },
  });

  function part(value: unknown, point: string): unknown {
    if (typeof value === 'function') {
      return (...args: readonly unknown[]) =>
        life.cross(point, async (): Promise<unknown> => Reflect.apply(value, port, args));
    }
    return typeof value === 'object' && value !== null ? mortal(life, point, value) : value;
  }
}
