import type { Balance } from '../../domain/balance.ts';
import type { Deps } from '../deps.ts';
import { follow } from '../follow.ts';

/** The present balance, then each reading that differs from the one before. Never ends by itself. */
export function followBalance(deps: Deps): AsyncIterableIterator<Balance> {
  let sequence: number | null = null;
  return follow(deps.wake, ['balance'], async () => {
    if (sequence === null) {
      const latest = await deps.store.balances.latest();
      if (latest === null) return { items: [], hasMore: false, done: false };
      sequence = latest.sequence;
      return { items: [latest], hasMore: false, done: false };
    }
    const items = await deps.store.balances.after(sequence);
    sequence = items.at(-1)?.sequence ?? sequence;
    return { items, hasMore: false, done: false };
  });
}
