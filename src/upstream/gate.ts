import type { Instant } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Places } from '../ports/places.ts';

export type Passed<Value> = { readonly kind: 'done'; readonly value: Value } | { readonly kind: 'timed-out' };

/** Bounds the calls under way to one upstream. Of those that wait, urgent ones go first; among equals, who came first. */
export interface Gate extends Places {
  /** Runs `work` once a place is free. `timed-out`: none was by `deadline`, and `work` was not begun. */
  pass<Value>(urgent: boolean, deadline: Instant, work: () => Promise<Value>): Promise<Passed<Value>>;
}

export function createGate(places: number, clock: Clock): Gate {
  let share = places;
  /** Below 0 while more are under way than the share has become. */
  let free = places;
  // Sets keep the order of arrival, and give up a waiter from their middle at no cost.
  const urgentWaiters = new Set<() => void>();
  const waiters = new Set<() => void>();

  function admitWaiting(): void {
    // The place goes over to the waiter without ever being free: no newcomer can slip in between.
    while (free > 0) {
      const [next] = urgentWaiters.size > 0 ? urgentWaiters : waiters;
      if (next === undefined) return;
      free--;
      next();
    }
  }

  function enter(urgent: boolean, deadline: Instant): Promise<boolean> {
    if (clock.now() >= deadline) return Promise.resolve(false);
    if (free > 0) {
      free--;
      return Promise.resolve(true);
    }
    const queue = urgent ? urgentWaiters : waiters;
    return new Promise((resolve) => {
      const admit = () => {
        stopTimer();
        queue.delete(admit);
        resolve(true);
      };
      const stopTimer = clock.after(deadline - clock.now(), () => {
        queue.delete(admit);
        resolve(false);
      });
      queue.add(admit);
    });
  }

  return {
    shareAmong(instances) {
      const before = share;
      share = Math.max(1, Math.floor(places / instances));
      free += share - before;
      admitWaiting();
    },
    async pass(urgent, deadline, work) {
      if (!(await enter(urgent, deadline))) return { kind: 'timed-out' };
      try {
        return { kind: 'done', value: await work() };
      } finally {
        free++;
        admitWaiting();
      }
    },
  };
}
