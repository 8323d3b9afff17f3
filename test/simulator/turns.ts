import { settled } from '../support/fake-clock.ts';

/** One call of a port that works in real time. */
interface Turn {
  readonly work: () => Promise<unknown>;
  readonly tell: (work: Promise<unknown>) => void;
}

/** Work in real time within a history whose own time stands still. */
export interface Turns {
  /** The same port, all of whose functions are async: what is asked for is done, and told, when its turn comes. */
  count<Port extends object>(port: Port): Port;
  /** Waits until nothing is left to do. */
  settle(): Promise<void>;
}

/**
 * One after the other, in the order of the questions: which of two that are under way together comes first is real
 * time's to say, and no seed's.
 */
export function oneByOne(): Turns {
  const turns: Turn[] = [];
  return {
    count: counting((turn) => turns.push(turn)),
    async settle() {
      await settled();
      for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
        const work = turn.work();
        await Promise.allSettled([work]);
        turn.tell(work);
        await settled();
      }
    },
  };
}

/**
 * At once, and together: here they meet in the database, wait for each other's locks and are undone for each other's
 * sake. No history of this kind happens twice.
 */
export function allAtOnce(): Turns {
  let underWay: { readonly work: Promise<unknown>; readonly turn: Turn }[] = [];
  return {
    count: counting((turn) => {
      const work = turn.work();
      // Told later.
      work.catch(() => undefined);
      underWay.push({ work, turn });
    }),
    async settle() {
      await settled();
      while (underWay.length > 0) {
        const all = underWay;
        underWay = [];
        await Promise.allSettled(all.map(({ work }) => work));
        for (const { work, turn } of all) turn.tell(work);
        await settled();
      }
    },
  };
}

function counting(take: (turn: Turn) => void): Turns['count'] {
  return function count<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value === 'object' && value !== null) return count(value);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown =>
          new Promise((resolve, reject) => {
            take({
              work: async (): Promise<unknown> => Reflect.apply(value, target, args),
              tell: (work) => void work.then(resolve, reject),
            });
          });
      },
    });
  };
}
