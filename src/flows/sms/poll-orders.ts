import type { OrderId } from '../../domain/ids.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { OpenOrder } from '../../ports/store/orders.ts';
import type { Deps } from '../deps.ts';
import { pooled } from '../pooled.ts';
import { recordSnapshot } from './record-snapshot.ts';
import { refreshOrder } from './refresh-order.ts';

/** Up to here a GET per order costs no more than the list of all (smscode-v1-reference.md, 13). */
const FEW = 2;
/** Reads at once, of the UPSTREAM_CONCURRENCY places: others must get through while a long list is worked off. */
const READS_AT_ONCE = 4;
/** Records under way at once: as many as the store commits together. */
const WRITES_AT_ONCE = 64;

export interface PollRound {
  /** Seconds that the provider asked to be left alone for; null when it did not. */
  readonly pauseSeconds: number | null;
}

/**
 * One round of polling: everything open is read once, by the list of all where that is cheaper, else one by one
 * (smscode-v1.md, Polling). Finds what webhooks failed to bring.
 */
export async function pollOrders(deps: Deps): Promise<PollRound> {
  const open = await deps.store.orders.open();
  if (open.length === 0) return { pauseSeconds: null };
  if (open.length <= FEW)
    return readEach(
      deps,
      open.map((order) => order.id),
    );

  const list = await deps.numbers.activeOrders();
  if (list.kind !== 'read') {
    deps.metrics.poll('failed');
    // Not to be had here, rather than not now.
    if (list.kind === 'refused')
      return readEach(
        deps,
        open.map((order) => order.id),
      );
    deps.log.warn('the list of open orders could not be read', { fault: list.kind });
    return { pauseSeconds: pauseOf(list) };
  }
  deps.metrics.poll('ok');
  if (list.value.spoiled > 0) deps.log.warn('open orders could not be read', { spoiled: list.value.spoiled });
  const known = new Set(open.map((order) => order.id));
  const listed = new Set<OrderId>(list.value.orders.map((snapshot) => snapshot.id));
  const ours = list.value.orders.filter((snapshot) => known.has(snapshot.id));
  // Most of what a poll reads is as it was before: noted by the hundred, it leaves the store to those who have news.
  const telling = await deps.store.orders.noteSeen(ours, list.readAt);
  await pooled(telling, WRITES_AT_ONCE, async (snapshot) => {
    await recordSnapshot(deps, snapshot, list.readAt);
  });
  const strangers = list.value.orders.filter((snapshot) => !known.has(snapshot.id));
  await pooled(strangers, READS_AT_ONCE, (snapshot) => refreshOrder(deps, snapshot.id));
  return readEach(
    deps,
    open.filter((order) => !listed.has(order.id) || lacksNumber(order)).map((order) => order.id),
  );
}

/** The list tells no phone number. */
function lacksNumber(order: OpenOrder): boolean {
  return !order.hasNumber;
}

async function readEach(deps: Deps, ids: readonly OrderId[]): Promise<PollRound> {
  let pauseSeconds: number | null = null;
  await pooled(ids, READS_AT_ONCE, async (id) => {
    if (pauseSeconds !== null) return;
    const read = await deps.numbers.order(id);
    deps.metrics.poll(read.kind === 'read' ? 'ok' : 'failed');
    if (read.kind === 'read') {
      await recordSnapshot(deps, read.value, read.readAt);
      return;
    }
    deps.log.warn('an open order could not be read', { orderId: id, fault: read.kind });
    pauseSeconds ??= pauseOf(read);
  });
  return { pauseSeconds };
}

function pauseOf(fault: UpstreamFault): number | null {
  return fault.kind === 'throttled' || fault.kind === 'unavailable' ? fault.retryAfterSeconds : null;
}
