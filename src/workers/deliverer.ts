import { SECOND } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { pooled } from '../flows/pooled.ts';
import { resendDelivery } from '../flows/supplier/send-delivery.ts';
import type { Worker } from './loop.ts';

/** Deliveries looked at in one round; two at once is all the supplier API allows. */
const BATCH = 50;
const SENDS_AT_ONCE = 2;
const LOOKS_EVERY = 5 * SECOND;

/** Sends pending deliveries again until they are settled or past their deadline. */
export function deliverer(deps: Deps): Worker {
  return {
    name: 'deliverer',
    wokenBy: ['deliveries-due'],
    async round(signal) {
      const due = await deps.store.supplier.dueDeliveries(BATCH);
      await pooled(due, SENDS_AT_ONCE, async (id) => {
        if (!signal.aborted) await resendDelivery(deps, id);
      });
      if (due.length === BATCH) return 0;
      const next = await deps.store.supplier.nextDeliveryDueAt();
      if (next === null) return LOOKS_EVERY;
      return Math.min(Math.max(next - (await deps.store.now()), 1), LOOKS_EVERY);
    },
  };
}
