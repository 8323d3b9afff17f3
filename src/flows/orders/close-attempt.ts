import type { Actor } from '../../domain/audit.ts';
import type { BusinessJobId, CallerName, OrderId } from '../../domain/ids.ts';
import type { Attempt } from '../../domain/orders/attempt.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { recordSnapshot } from '../sms/record-snapshot.ts';
import { clearAlert } from '../watch/raise-alert.ts';

/** What a person found out about an attempt whose outcome the provider never told. */
export interface Finding {
  readonly caller: CallerName;
  readonly businessJobId: BusinessJobId;
  /** The orders that exist; none: nothing was bought. */
  readonly orderIds: readonly OrderId[];
  readonly note: string;
}

export type CloseResult =
  | { readonly kind: 'closed'; readonly attempt: Attempt }
  | { readonly kind: 'no-attempt' }
  | { readonly kind: 'not-in-review'; readonly attempt: Attempt }
  | { readonly kind: 'too-many-orders'; readonly quantity: number }
  /** The provider does not know it, or another attempt accounts for it. */
  | { readonly kind: 'order-unusable'; readonly orderId: OrderId; readonly why: 'unknown-upstream' | 'taken' }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/**
 * Closes an attempt held for a person. Buys nothing: the orders named are read upstream, adopted with what they cost,
 * and the reserve is freed. Asked for again with the same finding, it changes nothing.
 */
export async function closeAttempt(deps: Deps, finding: Finding, by: Actor): Promise<CloseResult> {
  const { caller, businessJobId, note } = finding;
  const known = await deps.store.attempts.find(caller, businessJobId);
  if (known === null) return { kind: 'no-attempt' };
  const orderIds = [...new Set(finding.orderIds)];
  const { state } = known.attempt;
  // A person who did not hear the answer asks again.
  if (state === 'CLOSED' && hasExactly(known.orders, orderIds))
    return { kind: 'closed', attempt: known.attempt };
  if (state !== 'OPERATOR_REVIEW') return { kind: 'not-in-review', attempt: known.attempt };
  if (orderIds.length > known.attempt.quantity)
    return { kind: 'too-many-orders', quantity: known.attempt.quantity };

  for (const orderId of orderIds) {
    const read = await deps.numbers.order(orderId);
    if (read.kind === 'refused' && read.code === 'NOT_FOUND') {
      return { kind: 'order-unusable', orderId, why: 'unknown-upstream' };
    }
    if (read.kind !== 'read') return { kind: 'fault', fault: read };
    await recordSnapshot(deps, read.value, read.readAt);
  }
  const closing = await deps.store.attempts.close(caller, businessJobId, { orderIds, note }, by);
  switch (closing.kind) {
    case 'closed':
      deps.metrics.attemptReached('CLOSED');
      await clearAlert(deps, 'ATTEMPT_IN_REVIEW', closing.attempt.id);
      deps.log.info('a held attempt was closed', { attemptId: closing.attempt.id, orders: orderIds.length });
      return { kind: 'closed', attempt: closing.attempt };
    case 'not-found':
      return { kind: 'no-attempt' };
    case 'not-in-review':
      return closing;
    case 'order-taken':
      return { kind: 'order-unusable', orderId: closing.orderId, why: 'taken' };
  }
}

function hasExactly(orders: readonly Order[], ids: readonly OrderId[]): boolean {
  return orders.length === ids.length && orders.every(({ id }) => ids.includes(id));
}
