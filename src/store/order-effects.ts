import type { Visibility } from '../domain/access.ts';
import type { CallerName } from '../domain/ids.ts';
import { type Merged, mergeSnapshot } from '../domain/orders/merge.ts';
import { isTerminal, type Order, type OrderSnapshot } from '../domain/orders/order.ts';
import { NO_REVISION } from '../domain/sms/accept.ts';
import type { Instant } from '../domain/time.ts';
import type { WakeKey } from '../ports/wake.ts';

/** What writing a merged order entails besides its row. Pure, and shared by the stores: both must come to the same. */
export interface OrderEffects {
  /** Nothing differs but the time of the reading: the row's `asOf` alone moves on. */
  readonly onlySeen: boolean;
  /** Operators see it from now on: its messages join their sequence at the end, behind what they have read. */
  readonly becameShown: boolean;
  /** Its owner sees it from now on, and its messages join the owner's sequence at the end. */
  readonly becameOwned: boolean;
  /** Its amount is booked as spent by its owner. */
  readonly spends: boolean;
  /** What it cost goes back to its owner, unless a receipt's refund was booked before. */
  readonly returns: boolean;
  readonly wakes: readonly WakeKey[];
}

/** Orders that no read has completed are kept, and shown to nobody. */
export function isShown(order: Order): boolean {
  return order.amount !== null;
}

export function isVisible(order: Order, scope: Visibility): boolean {
  return isShown(order) && (scope.kind === 'all' || order.owner === scope.caller);
}

/** The caller whose budget an order counts in, and who sees its messages. */
export function shownOwner(order: Order): CallerName | null {
  return isShown(order) ? order.owner : null;
}

export function orderEffects(before: Order | null, merged: Merged): OrderEffects {
  const after = merged.order;
  const becameShown = isShown(after) && !(before !== null && isShown(before));
  const owner = shownOwner(after);
  const becameOwned = owner !== null && (before === null || shownOwner(before) === null);
  const onlySeen = before !== null && !merged.changed && isSameButSeen(before, after);

  const wakes: WakeKey[] = onlySeen ? [] : [`order:${after.id}`];
  if (before === null && !isTerminal(after.status)) wakes.push('open-orders');
  const hasEarlierMessages = before !== null && before.smsRevision !== NO_REVISION;
  if (isShown(after) && (merged.news !== null || (becameShown && hasEarlierMessages)))
    wakes.push('sms-of-all');
  if (owner !== null && (merged.news !== null || (becameOwned && hasEarlierMessages))) {
    wakes.push(`sms-of:${owner}`);
  }
  return {
    onlySeen,
    becameShown,
    becameOwned,
    spends: becameOwned,
    returns: owner !== null && cameBack(after) && (becameOwned || before === null || !cameBack(before)),
    wakes,
  };
}

/** Whether a poll's reading of a known order changes nothing but its `asOf`, which becomes `readAt`. */
export function tellsNothing(before: Order, snapshot: OrderSnapshot, readAt: Instant): boolean {
  const merged = mergeSnapshot(before, snapshot, { source: 'POLL', readAt, adoption: null });
  const isSeen = !merged.changed && isSameButSeen(before, merged.order);
  return isSeen && !merged.conflict && merged.order.asOf === readAt;
}

/** Canceled, or expired without any message: the provider gives the debit back (smscode-v1.md, One order). */
function cameBack(order: Order): boolean {
  return order.status === 'CANCELED' || (order.status === 'EXPIRED' && order.smsRevision === NO_REVISION);
}

function isSameButSeen(before: Order, after: Order): boolean {
  // `changed` has told of the capabilities. Asked of ten thousand orders a poll: no lists of entries.
  let key: keyof Order;
  for (key in after) {
    if (before[key] !== after[key] && key !== 'asOf' && key !== 'capabilities') return false;
  }
  return true;
}
