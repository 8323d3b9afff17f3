import type { Deps } from '../flows/deps.ts';
import { pullOrders } from '../flows/supplier/pull-orders.ts';
import { inTurn } from './in-turn.ts';
import type { Worker } from './loop.ts';

/** Orders claimed in one automatic pull: the API's own default. */
const LIMIT = 100;

/** Claims pending supplier orders every so often (in milliseconds), one instance for all. */
export function puller(deps: Deps, interval: number): Worker {
  return inTurn(deps, 'puller', interval, async (signal) => {
    let mayBeMore = true;
    while (mayBeMore && !signal.aborted) {
      const pulled = await pullOrders(deps, null, LIMIT);
      mayBeMore = pulled.kind === 'claimed' && pulled.orders.length === LIMIT;
    }
  });
}
