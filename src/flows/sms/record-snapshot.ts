import type { Order, OrderSnapshot } from '../../domain/orders/order.ts';
import type { Instant } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import { reportConflict } from './report-conflict.ts';
import { workInbox } from './work-inbox.ts';

/** More turns than this mean that webhooks of the order keep coming faster than they are worked off; the next poll finds it. */
const MOST_TURNS = 20;

/**
 * Keeps what a read told of an order. Webhooks that were answered 2xx before go first: accepted after the read's
 * newer revision, their older message would be passed over (gateway.md, promise 2).
 */
export async function recordSnapshot(
  deps: Deps,
  snapshot: OrderSnapshot,
  readAt: Instant,
): Promise<Order | null> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const recorded = await deps.store.orders.record(snapshot, readAt);
    if (recorded.kind === 'recorded') {
      if (recorded.news !== null) deps.metrics.smsAccepted('POLL');
      if (recorded.conflict) reportConflict(deps, recorded.order);
      return recorded.order;
    }
    await workInbox(deps, [snapshot.id]);
  }
  deps.log.warn('an order was not brought up to date: its inbox does not empty', { orderId: snapshot.id });
  return null;
}
