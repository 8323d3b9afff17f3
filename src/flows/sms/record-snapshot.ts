import type { OrderId } from '../../domain/ids.ts';
import { isTerminal, type Order, type OrderSnapshot } from '../../domain/orders/order.ts';
import { type Instant, SECOND } from '../../domain/time.ts';
import type { ReadReply } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { reportConflict } from './report-conflict.ts';
import { sinceOrdered } from './since-ordered.ts';
import { workInbox } from './work-inbox.ts';

/** More turns than this mean that webhooks of the order keep coming faster than they are worked off; the next poll finds it. */
const MOST_TURNS = 20;

/** Tries of a last read, each after twice the wait of the one before: a quarter of an hour altogether. */
const MOST_LAST_READS = 10;

/**
 * Keeps what a read told of an order. Webhooks that were answered 2xx before go first: accepted after the read's
 * newer revision, their older message would be passed over (gateway.md, promise 2). Null where one of them cannot be
 * worked off now.
 */
export async function recordSnapshot(
  deps: Deps,
  snapshot: OrderSnapshot,
  readAt: Instant,
): Promise<Order | null> {
  const { id, status } = snapshot;
  let hasEnded = false;
  let fruitless = 0;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const recorded = await deps.store.orders.record(snapshot, readAt);
    if (recorded.kind === 'recorded') {
      if (recorded.news !== null)
        deps.metrics.smsAccepted('POLL', sinceOrdered(recorded.order, recorded.news));
      if (recorded.conflict) reportConflict(deps, recorded.order);
      // A read from before the end may be from before the last message, too.
      if (hasEnded && !isTerminal(status)) void readLast(deps, id);
      return recorded.order;
    }
    const { records, ended } = await workInbox(deps, [id]);
    if (ended.includes(id)) hasEnded = true;
    // Once may mean that another instance was faster; twice, that what waits there is not due.
    if (records === 0 && ++fruitless > 1) break;
  }
  deps.log.warn('an order was not brought up to date: its inbox does not empty', { orderId: id });
  return null;
}

/**
 * Reads an order once more that a webhook has ended. Polls leave it alone from then on, and where the webhook of its
 * last message was lost, nothing else would bring it. Never rejects; goes on beside the caller until it has been read.
 */
export async function readLast(deps: Deps, id: OrderId): Promise<void> {
  for (let tries = 0; tries < MOST_LAST_READS; tries++) {
    if (tries > 0) await pause(deps, SECOND * 2 ** (tries - 1));
    try {
      const read = await deps.numbers.order(id);
      if (isUnknown(read)) return;
      if (read.kind === 'read' && (await recordSnapshot(deps, read.value, read.readAt)) !== null) return;
    } catch (error) {
      deps.log.error('an order that was read could not be kept', { orderId: id }, error);
    }
  }
  deps.log.warn('an order that has ended could not be read once more', { orderId: id });
}

/** Any other refusal may be that of a proxy in between. */
function isUnknown(read: ReadReply<OrderSnapshot>): boolean {
  return read.kind === 'not-configured' || (read.kind === 'refused' && read.code === 'NOT_FOUND');
}

/** Not a sleep: nothing here is worth keeping a process alive for that is about to end. */
function pause({ clock }: Deps, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}
