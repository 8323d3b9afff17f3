import { settled } from '../support/fake-clock.ts';

interface Turn {
  readonly work: Promise<unknown>;
  readonly tell: () => void;
}

/** Work in real time within a history whose own time stands still. */
export interface Turns {
  /** The same port: what is asked for goes on at once, and together. */
  count<Port extends object>(port: Port): Port;
  /** Waits for all that goes on. Answers are told in the order of the questions: of two histories of one seed, both go on alike. */
  settle(): Promise<void>;
}

export function createTurns(): Turns {
  let turns: Turn[] = [];

  function take(work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      turns.push({ work, tell: () => void work.then(resolve, reject) });
    });
  }

  function count<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value === 'object' && value !== null) return count(value);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, target, args);
          return result instanceof Promise ? take(result) : result;
        };
      },
    });
  }

  return {
    count,
    async settle() {
      await settled();
      while (turns.length > 0) {
        const all = turns;
        turns = [];
        await Promise.allSettled(all.map(({ work }) => work));
        for (const { tell } of all) tell();
        await settled();
      }
    },
  };
}
