import type { Deps } from '../flows/deps.ts';
import { judgeBalance, watchBalance } from '../flows/watch/watch-balance.ts';
import { inTurn } from './in-turn.ts';
import type { Worker } from './loop.ts';

/** Reads the balance every so often (in milliseconds), one instance for all, and judges each reading, whoever made it. */
export function balanceWatch(deps: Deps, interval: number): Worker {
  const reading = inTurn(deps, 'balance-watch', interval, () => watchBalance(deps));
  return {
    ...reading,
    wokenBy: ['balance'],
    async round(signal) {
      const latest = await deps.store.balances.latest();
      if (latest !== null) await judgeBalance(deps, latest);
      return reading.round(signal);
    },
  };
}
