import type { Instant } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';

export type Passed<Value> = { readonly kind: 'done'; readonly value: Value } | { readonly kind: 'timed-out' };

/** Bounds the calls under way to one upstream. Of those that wait, urgent ones go first; among equals, who came first. */
export interface Gate {
  /** Runs `work` once a place is free. `timed-out`: none was by `deadline`, and `work` was not begun. */
  pass<Value>(urgent: boolean, deadline: Instant, work: () => Promise<Value>): Promise<Passed<Value>>;
}

export function createGate(places: number, clock: Clock): Gate {
  let free = places;
  // Sets keep the order of arrival, and give up a waiter from their middle at no cost.
  const urgentWaiters = new Set<() => void>();
  const waiters = new Set<() => void>();

  function admitNext(): void {
    const [next] = urgentWaiters.size > 0 ? urgentWaiters : waiters;
    // The place goes over to the waiter without ever being free: no newcomer can slip in between.
    if (next === undefined) free++;
    else next();
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
    async pass(urgent, deadline, work) {
      if (!(await enter(urgent, deadline))) return { kind: 'timed-out' };
      try {
        return { kind: 'done', value: await work() };
      } finally {
        admitNext();
      }
    },
  };
}
