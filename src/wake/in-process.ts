import type { Wake, WakeKey } from '../ports/wake.ts';

/**
 * Wakes within this process. Listeners are called on the next turn, once for any number of announcements before it:
 * a burst of a thousand changes rouses a reader once, and nobody is called back inside a store's commit.
 */
export function createInProcessWake(onError: (error: unknown) => void): Wake {
  const listeners = new Map<WakeKey, Set<() => void>>();
  let due = new Set<() => void>();

  const flush = (): void => {
    const called = due;
    due = new Set();
    for (const listener of called) {
      try {
        listener();
      } catch (error) {
        // One bad listener must not keep the rest asleep.
        onError(error);
      }
    }
  };

  const call = (woken: Iterable<ReadonlySet<() => void> | undefined>): void => {
    const isPlanned = due.size > 0;
    for (const some of woken) {
      for (const listener of some ?? []) due.add(listener);
    }
    if (!isPlanned && due.size > 0) queueMicrotask(flush);
  };

  return {
    announce: (keys) => call([...keys].map((key) => listeners.get(key))),
    announceAll: () => call(listeners.values()),
    listen(keys, listener) {
      // A function of its own for each subscription: the same listener may be given twice.
      const own = (): void => listener();
      for (const key of keys) {
        const known = listeners.get(key);
        if (known === undefined) listeners.set(key, new Set([own]));
        else known.add(own);
      }
      return () => {
        due.delete(own);
        for (const key of keys) {
          const known = listeners.get(key);
          known?.delete(own);
          if (known?.size === 0) listeners.delete(key);
        }
      };
    },
  };
}
