import { SECOND } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { pollOrders } from '../flows/sms/poll-orders.ts';
import type { Worker } from './loop.ts';

/** The longest the provider's Retry-After is obeyed by a poll (smscode-v1.md, Polling). */
const LONGEST_PAUSE = 60 * SECOND;

/**
 * Reads everything open once an interval, one instance for all: what finds messages whose webhooks were lost. `interval` in
 * milliseconds.
 */
export function smsPoller(deps: Deps, interval: number): Worker {
  return {
    name: 'sms-poller',
    wokenBy: [],
    async round() {
      const { turns } = deps.store;
      const longest = Math.max(interval, LONGEST_PAUSE);
      const wait = await turns.take('sms-poller', interval, longest);
      if (wait > 0) return wait;
      const startedAt = deps.clock.now();
      const { pauseSeconds } = await pollOrders(deps);
      deps.metrics.pollRound((deps.clock.now() - startedAt) / interval);
      const pause = Math.min((pauseSeconds ?? 0) * SECOND, LONGEST_PAUSE);
      // The interval is from start to start: a slow round does not make the next later than it need be.
      const rest = interval - (deps.clock.now() - startedAt);
      // Whoever has the next turn must leave the provider alone, too.
      if (pause > rest) await turns.pause('sms-poller', pause);
      return Math.max(rest, pause, SECOND);
    },
  };
}
