import type { SupplierOrder } from '../../domain/supplier/order.ts';
import type { ClaimScope } from '../../ports/store/supplier.ts';
import type { Deps } from '../deps.ts';
import { follow } from '../follow.ts';

const BATCH = 100;

/** Every claim behind a sequence number, in order. Never ends by itself. */
export function followClaims(
  deps: Deps,
  scope: ClaimScope,
  after: number,
): AsyncIterableIterator<SupplierOrder> {
  let sequence = after;
  return follow(deps.wake, ['supplier-claims'], async () => {
    const items = await deps.store.supplier.claimsAfter(scope, sequence, BATCH);
    sequence = items.at(-1)?.claimSequence ?? sequence;
    return { items, hasMore: items.length === BATCH, done: false };
  });
}
