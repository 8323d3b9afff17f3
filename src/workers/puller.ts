import type { Deps } from '../flows/deps.ts';
import { pullOrders } from '../flows/supplier/pull-orders.ts';
import type { Worker } from './loop.ts';

/** Orders claimed in one automatic pull: the API's own default. */
const LIMIT = 100;

/** Claims pending supplier orders every so often (in milliseconds). */
export function puller(deps: Deps, interval: number): Worker {
  return {
    name: 'puller',
    wokenBy: [],
    async round() {
      const pulled = await pullOrders(deps, null, LIMIT);
      return pulled.kind === 'claimed' && pulled.orders.length === LIMIT ? 0 : interval;
    },
  };
}
