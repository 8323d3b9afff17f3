import type { CallerActor } from '../../domain/audit.ts';
import type { SupplierOrder } from '../../domain/supplier/order.ts';
import { SECOND } from '../../domain/time.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';

export const MOST_PULLED = 500;

/** The call's own time limit is 15 s; waiting for a place before it, and writing down after it, take some more. */
export const PULL_LIMIT = 30 * SECOND;

export type PullResult =
  | { readonly kind: 'claimed'; readonly orders: readonly SupplierOrder[] }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/**
 * Claims pending orders, oldest first, and writes each claim down. The pull itself is written down before it leaves:
 * an order seen in processing meanwhile is this pull's, and not one whose claim was lost. `by` null: the automatic puller.
 */
export async function pullOrders(deps: Deps, by: CallerActor | null, limit: number): Promise<PullResult> {
  const caller = by?.caller ?? null;
  const pull = { id: deps.random.token() };
  await deps.store.supplier.beginPull(pull, PULL_LIMIT, by);
  const reply = await deps.supplier.pull(limit);
  if (reply.kind !== 'read') {
    // A clear refusal claimed nothing; an unclear end may have, and the pull stays open until its limit has passed.
    if (claimedNothing(reply)) await deps.store.supplier.endPull(pull, caller, []);
    deps.log.warn('a pull came to nothing', { fault: reply.kind });
    return { kind: 'fault', fault: reply };
  }
  const orders = await deps.store.supplier.endPull(pull, caller, reply.value.orders);
  if (orders.length > 0) deps.log.info('supplier orders were claimed', { orders: orders.length });
  return { kind: 'claimed', orders };
}

function claimedNothing(fault: UpstreamFault): boolean {
  switch (fault.kind) {
    case 'not-configured':
    case 'unauthorized':
    case 'throttled':
    case 'refused':
      return true;
    case 'unavailable':
    case 'malformed':
      return false;
  }
}
