import type { Actor } from '../../domain/audit.ts';
import type { SupplierOrderId } from '../../domain/ids.ts';
import { RENEW_AFTER } from '../../domain/supplier/lease.ts';
import type { SupplierOrder } from '../../domain/supplier/order.ts';
import { type Instant, instant } from '../../domain/time.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';

export type LeaseResult =
  | { readonly kind: 'order'; readonly order: SupplierOrder }
  | { readonly kind: 'none' }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/** Hides the order from list calls for thirty minutes from `at`. The gateway renews it while the order is open here. `by` null: such a renewal. */
export async function leaseOrder(
  deps: Deps,
  id: SupplierOrderId,
  at: Instant | null,
  by: Actor | null,
): Promise<LeaseResult> {
  return writeLease(deps, id, at ?? deps.clock.now(), by);
}

/** Ends the lease at once, and its renewal. */
export async function releaseOrder(deps: Deps, id: SupplierOrderId, by: Actor): Promise<LeaseResult> {
  return writeLease(deps, id, null, by);
}

/** Leases renewed in one round: each is a call that deliveries have to share their places with. */
const BATCH = 50;

/**
 * Renews the leases of open claims before they run out. One that fails is tried again in the next round, and is no
 * reason to deliver anything twice: who works on an order is decided by the claim written down here.
 */
export async function renewLeases(deps: Deps): Promise<void> {
  const writtenBefore = instant(deps.clock.now() - RENEW_AFTER);
  for (const order of await deps.store.supplier.leasesToRenew(writtenBefore, BATCH)) {
    const renewed = await leaseOrder(deps, order.id, null, null);
    if (renewed.kind === 'fault')
      deps.log.warn('a lease could not be renewed', { fault: renewed.fault.kind });
  }
}

async function writeLease(
  deps: Deps,
  id: SupplierOrderId,
  at: Instant | null,
  by: Actor | null,
): Promise<LeaseResult> {
  if ((await deps.store.supplier.find(id)) === null) return { kind: 'none' };
  const reply = await deps.supplier.setLastProcessTime(id, at);
  if (reply.kind !== 'read') return { kind: 'fault', fault: reply };
  const order = await deps.store.supplier.setLease(id, at, at !== null, by);
  return order === null ? { kind: 'none' } : { kind: 'order', order };
}
