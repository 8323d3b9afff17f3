import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';

/**
 * The same store, each operation of its rooms timed, waiting for a commit included. A proxy, and not a copy of every port:
 * one that is added later is timed as well.
 */
export function timedStore<Whole extends object>(
  store: Whole,
  clock: Pick<Clock, 'now'>,
  metrics: Pick<Metrics, 'storeCall'>,
): Whole {
  const rooms = new Map<unknown, unknown>();
  return new Proxy(store, {
    get(target, name, receiver) {
      const room: unknown = Reflect.get(target, name, receiver);
      if (typeof room !== 'object' || room === null) return room;
      const timed = rooms.get(room) ?? timedRoom(room, String(name), clock, metrics);
      rooms.set(room, timed);
      return timed;
    },
  });
}

function timedRoom(
  room: object,
  name: string,
  clock: Pick<Clock, 'now'>,
  metrics: Pick<Metrics, 'storeCall'>,
): object {
  const operations = new Map<unknown, unknown>();
  return new Proxy(room, {
    get(target, key, receiver) {
      const operation: unknown = Reflect.get(target, key, receiver);
      if (typeof operation !== 'function') return operation;
      const timed =
        operations.get(operation) ??
        ((...given: readonly unknown[]): unknown => {
          const startedAt = clock.now();
          const result: unknown = Reflect.apply(operation, target, given);
          if (result instanceof Promise) {
            const ended = (): void => metrics.storeCall(name, Math.max(0, clock.now() - startedAt));
            // A branch of its own: what the operation rejects with is its asker's alone to handle.
            result.then(ended, ended);
          }
          return result;
        });
      operations.set(operation, timed);
      return timed;
    },
  });
}
