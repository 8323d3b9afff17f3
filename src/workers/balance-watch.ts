import { later } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import type { Worker } from './loop.ts';

/** Reads the balance every so often (in milliseconds), and warns when it is low. */
export function balanceWatch(deps: Deps, interval: number): Worker {
  let nextAt = deps.clock.now();
  return {
    name: 'balance-watch',
    wokenBy: [],
    async round() {
      const now = deps.clock.now();
      if (now >= nextAt) {
        nextAt = later(now, interval);
        const read = await deps.balance.read();
        if (read.kind !== 'read') deps.log.warn('the balance could not be read', { fault: read.kind });
      }
      return nextAt - deps.clock.now();
    },
  };
}
