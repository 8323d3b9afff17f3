import type { Visibility } from '../../domain/access.ts';
import type { OrderId } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/orders/order.ts';
import type { SmsRevision } from '../../domain/sms/accept.ts';
import type { Deps } from '../deps.ts';
import { follow } from '../follow.ts';

/** Messages read from the store at once: a stalled reader holds no more than these. */
const BATCH = 100;

/**
 * Every message of one order above a revision, each exactly once and rising, those already stored first; ends when
 * the order is terminal and its last message was handed out. Null: no such order for this caller.
 */
export async function followMessages(
  deps: Deps,
  scope: Visibility,
  id: OrderId,
  afterRevision: number,
): Promise<AsyncIterableIterator<SmsRevision> | null> {
  if ((await deps.store.orders.find(scope, id)) === null) return null;
  let revision = afterRevision;
  return follow(deps.wake, [`order:${id}`], async () => {
    // The status first: a message accepted between the two reads is then still found by the second.
    const order = await deps.store.orders.find(scope, id);
    const items = await deps.store.orders.messages(scope, id, revision, BATCH);
    revision = items.at(-1)?.revision ?? revision;
    const hasMore = items.length === BATCH;
    return { items, hasMore, done: !hasMore && (order === null || isTerminal(order.status)) };
  });
}

/** Every message of all visible orders, behind a sequence number and above a revision, in the order of acceptance. Never ends by itself. */
export function followAllMessages(
  deps: Deps,
  scope: Visibility,
  after: { readonly revision: number; readonly sequence: number },
): AsyncIterableIterator<SmsRevision> {
  const key = scope.kind === 'all' ? 'sms-of-all' : (`sms-of:${scope.caller}` as const);
  let sequence = after.sequence;
  return follow(deps.wake, [key], async () => {
    for (;;) {
      const found = await deps.store.orders.messagesAfter(scope, sequence, BATCH);
      const last = found.at(-1);
      if (last === undefined) return { items: [], hasMore: false, done: false };
      sequence = last.sequence;
      const items = found.filter((message) => message.revision > after.revision);
      if (items.length > 0) return { items, hasMore: found.length === BATCH, done: false };
    }
  });
}
