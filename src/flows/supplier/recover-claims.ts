import type { SupplierOrderSnapshot } from '../../domain/supplier/order.ts';
import { SECOND } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';

/** Elements asked for at once, and pages read before the rest waits for the next round. */
const PAGE = 500;
const MOST_PAGES = 40;

/** How soon it looks again, in milliseconds: a lost claim is found within 45 s (supplier-v2.md, Claiming). */
const LOOKS_EVERY = 10 * SECOND;

/**
 * Finds orders in processing that no claim was written down of: their pull's answer was lost. Returns the milliseconds
 * until it should look again. One that hides behind a lease shows up when that has run out, so this never stops looking.
 */
export async function recoverClaims(deps: Deps): Promise<number> {
  const processing: SupplierOrderSnapshot[] = [];
  let readAt = deps.clock.now();
  for (let page = 0; page < MOST_PAGES; page++) {
    const reply = await deps.supplier.orders(PROCESSING, { limit: PAGE, offset: page * PAGE });
    if (reply.kind !== 'read') {
      deps.log.warn('orders in processing could not be listed', { fault: reply.kind });
      break;
    }
    if (page === 0) readAt = reply.readAt;
    processing.push(...reply.value.orders.map(inProcessing));
    if (reply.value.received < PAGE) break;
  }
  if (processing.length === 0) return LOOKS_EVERY;
  const found = await deps.store.supplier.adoptFound(processing, readAt);
  if (found.adopted.length > 0)
    deps.log.warn('lost claims were found again', { orders: found.adopted.length });
  if (found.again === null) return LOOKS_EVERY;
  return Math.min(Math.max(found.again - (await deps.store.now()), SECOND), LOOKS_EVERY);
}

/** Asked for by that status: one whose status is not told, or of a newer kind, is in the list for it all the same. */
function inProcessing(told: SupplierOrderSnapshot): SupplierOrderSnapshot {
  return told.status === null || told.status === 'UNKNOWN' ? { ...told, status: 'PROCESSING' } : told;
}

const PROCESSING = {
  statuses: ['PROCESSING'],
  paymentStatuses: null,
  productTypes: ['MANUAL'],
  entityType: null,
  subCategory: null,
  createdFrom: null,
  createdTo: null,
} as const;
