import { isOpenClaim, type SupplierOrder } from '../../domain/supplier/order.ts';
import type { ClaimScope } from '../../ports/store/supplier.ts';
import type { Deps } from '../deps.ts';
import { follow } from '../follow.ts';

const BATCH = 100;

/** Where a follower of claims begins, by their sequence numbers. */
export interface ClaimsFrom {
  /** Every claim behind this. */
  readonly after: number;
  /** Of the claims up to this, those alone that are still open. */
  readonly openUpTo: number;
}

/** Every claim from a place on, in order. Never ends by itself. */
export function followClaims(
  deps: Deps,
  scope: ClaimScope,
  { after, openUpTo }: ClaimsFrom,
): AsyncIterableIterator<SupplierOrder> {
  let sequence = after;
  return follow(deps.wake, ['supplier-claims'], async () => {
    const found = await deps.store.supplier.claimsAfter(scope, sequence, BATCH);
    sequence = found.at(-1)?.claimSequence ?? sequence;
    const items = found.filter((order) => (order.claimSequence ?? 0) > openUpTo || isOpenClaim(order));
    return { items, hasMore: found.length === BATCH, done: false };
  });
}
