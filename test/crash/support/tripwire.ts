import type { Deps } from '../../../src/flows/deps.ts';

export interface Tripwire {
  /** `store.attempts.settle:before`, `numbers.sendPaid:after`, or `store.orders.record:before#2`: when it comes by for the second time. */
  arm(point: string): void;
  wrap(deps: Deps): Deps;
}

/** Kills its own process at a named call of a named port: before it begins, or when it has ended and nobody knows yet. */
export function createTripwire(armed: string | null): Tripwire {
  let point = '';
  let left = 0;
  if (armed !== null) arm(armed);

  function arm(next: string): void {
    const [name = '', times = '1'] = next.split('#');
    point = name;
    left = Number(times);
  }

  function pass(here: string): void {
    if (here !== point || --left > 0) return;
    process.kill(process.pid, 'SIGKILL');
    // The signal may be some microseconds on its way: nothing more is to happen meanwhile.
    for (;;);
  }

  function watched<Port extends object>(port: Port, path: string): Port {
    return new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        const here = `${path}.${String(name)}`;
        if (typeof value === 'object' && value !== null) return watched(value, here);
        if (typeof value !== 'function') return value;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          pass(`${here}:before`);
          const result: unknown = await Reflect.apply(value, target, given);
          pass(`${here}:after`);
          return result;
        };
      },
    });
  }

  return {
    arm,
    wrap: (deps) => ({
      ...deps,
      store: watched(deps.store, 'store'),
      numbers: watched(deps.numbers, 'numbers'),
      supplier: watched(deps.supplier, 'supplier'),
    }),
  };
}
