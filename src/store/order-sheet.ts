import type { OrderId } from '../domain/ids.ts';
import { type Merged, mergeSnapshot, type Reading } from '../domain/orders/merge.ts';
import { isTerminal, type Order, type OrderSnapshot } from '../domain/orders/order.ts';
import type { SmsRevision } from '../domain/sms/accept.ts';
import type { Instant } from '../domain/time.ts';
import type { WakeKey } from '../ports/wake.ts';
import { endedLine, type KeptLine, type Line } from './book-lines.ts';
import { type Contribution, contributionOf, isSameContribution, type Place } from './order-contribution.ts';
import { isShown, type OrderEffects, orderEffects, shownOwner } from './order-effects.ts';
import { changeRow, type OrderChangeRow } from './rows/order.ts';
import type { SmsRow } from './rows/sms.ts';

/** What an order is counted under, and when it ended. */
export interface KnownFacts extends Place {
  readonly endedAt: Instant | null;
  readonly erased: boolean;
}

/** What was read of the orders, under their locks. Each is asked for when it is needed: one bad row spoils itself alone. */
export interface LoadedOrders {
  order(id: OrderId): Order | null;
  facts(id: OrderId): KnownFacts | null;
  placeOf(order: Pick<Order, 'productId' | 'catalogProductId'>): Place;
  /** Messages of an order that was not yet shown, or nobody's. */
  messages(id: OrderId): readonly SmsRow[];
  /** What it cost and what came back. */
  lines(id: OrderId): readonly KeptLine[];
}

/** A message to be written. `offset`: how many numbers after the first one drawn; null: it takes none. */
export interface SheetMessage {
  readonly row: SmsRow;
  readonly offset: number | null;
  readonly toAll: boolean;
  readonly toOwner: boolean;
}

export interface MergedOrder extends Merged {
  /** The news as it is kept, once its number is known. */
  sms(firstNumber: number): SmsRevision | null;
}

/** Orders as they stand in one transaction, and everything that is to be written of them at its end. */
export interface OrderSheet {
  load(id: OrderId): Order | null;
  /** All or nothing: what throws has changed nothing. */
  merge(snapshot: OrderSnapshot, reading: Reading): MergedOrder;
  readonly written: OrderWrites;
}

export interface OrderWrites {
  readonly made: ReadonlyMap<OrderId, Order>;
  readonly changed: ReadonlyMap<OrderId, Order>;
  /** Nothing differs but the time of the reading. */
  readonly seen: ReadonlyMap<OrderId, Instant>;
  readonly changes: readonly OrderChangeRow[];
  readonly messages: readonly SheetMessage[];
  /** How many numbers the messages take. */
  readonly numbers: number;
  readonly facts: ReadonlyMap<OrderId, KnownFacts>;
  readonly lines: readonly Line[];
  readonly contributions: readonly { readonly of: Contribution; readonly sign: 1 | -1 }[];
  /** From and to: the order before and after, for the totals of lists. */
  readonly moves: readonly { readonly from: Order | null; readonly to: Order }[];
  readonly wakes: readonly WakeKey[];
}

/** Decides in memory what a batch of readings comes to, so that a store can read and write them in bulk. Pure. */
export function createOrderSheet(loaded: LoadedOrders, now: Instant): OrderSheet {
  const current = new Map<OrderId, Order>();
  const made = new Map<OrderId, Order>();
  const changed = new Map<OrderId, Order>();
  const seen = new Map<OrderId, Instant>();
  const facts = new Map<OrderId, KnownFacts>();
  const changes: OrderChangeRow[] = [];
  const messages = new Map<string, SheetMessage>();
  const lines: Line[] = [];
  const contributions: { of: Contribution; sign: 1 | -1 }[] = [];
  const moves: { from: Order | null; to: Order }[] = [];
  const wakes: WakeKey[] = [];
  let numbers = 0;

  const load = (id: OrderId): Order | null => current.get(id) ?? loaded.order(id);

  /** Messages that come into sight go to the end, in their order: a follower's cursor may have passed their old place. */
  function shown(order: Order, effects: OrderEffects): SheetMessage[] {
    const known = new Map(loaded.messages(order.id).map((row) => [row.revision, still(row)]));
    for (const message of messages.values()) {
      if (message.row.orderId === order.id) known.set(message.row.revision, message);
    }
    const inOrder = [...known.values()].sort((a, b) => a.row.revision - b.row.revision);
    return inOrder.map(({ row, toAll, toOwner }, index) => ({
      row: effects.becameOwned ? { ...row, owner: shownOwner(order) } : row,
      offset: numbers + index,
      toAll: toAll || effects.becameShown,
      toOwner: toOwner || effects.becameOwned,
    }));
  }

  function newsOf({ order, news }: Merged, reading: Reading, offset: number): SheetMessage | null {
    if (news === null) return null;
    const owner = shownOwner(order);
    const row: SmsRow = {
      orderId: order.id,
      revision: news.revision,
      message: news.message,
      otpCode: news.otpCode,
      source: reading.source,
      receivedAt: reading.readAt,
      sequence: null,
      owner,
      ownerSequence: null,
    };
    const isNumbered = isShown(order);
    return { row, offset: isNumbered ? offset : null, toAll: isNumbered, toOwner: owner !== null };
  }

  function money(order: Order, effects: OrderEffects): Line[] {
    const booked: Line[] = [];
    if (effects.spends && order.owner !== null && order.amount !== null) {
      const { owner: caller, attemptId, amount, id: orderId } = order;
      booked.push({ caller, kind: 'SPENT', amount, attemptId, orderId, note: 'charge' });
    }
    if (effects.returns) {
      const before = [...loaded.lines(order.id), ...lines.filter(({ orderId }) => orderId === order.id)];
      const back = endedLine([...before, ...booked]);
      if (back !== null) booked.push(back);
    }
    return booked;
  }

  function merge(snapshot: OrderSnapshot, reading: Reading): MergedOrder {
    const before = load(snapshot.id);
    const merged = mergeSnapshot(before, snapshot, reading);
    const { order } = merged;
    const effects = orderEffects(before, merged);
    if (effects.onlySeen) {
      current.set(order.id, order);
      if (!made.has(order.id) && !changed.has(order.id)) seen.set(order.id, order.asOf);
      else (made.has(order.id) ? made : changed).set(order.id, order);
      return { ...merged, sms: () => null };
    }
    const isNew = before === null || made.has(order.id);
    const cameIntoSight = before !== null && (effects.becameShown || effects.becameOwned);
    const old = cameIntoSight ? shown(order, effects) : [];
    const news = newsOf(merged, reading, numbers + old.length);
    const booked = money(order, effects);
    const known = facts.get(order.id) ?? loaded.facts(order.id);
    // Counted under what was known first: what is taken away later must be what was given.
    const place = known ?? loaded.placeOf(order);
    const endedAt = isTerminal(order.status) ? (known?.endedAt ?? now) : null;
    const [was, is] = [contributionOf(before, place), contributionOf(order, place)];

    // From here on nothing throws.
    current.set(order.id, order);
    seen.delete(order.id);
    (isNew ? made : changed).set(order.id, order);
    if (merged.changed) changes.push(changeRow(order));
    for (const message of [...old, ...(news === null ? [] : [news])]) {
      messages.set(`${message.row.orderId}/${message.row.revision}`, message);
      if (message.offset !== null) numbers += 1;
    }
    lines.push(...booked);
    if (known === null || known.endedAt !== endedAt) {
      const { platformId, countryId } = place;
      facts.set(order.id, { platformId, countryId, endedAt, erased: known?.erased ?? false });
    }
    if (!isSameContribution(was, is)) {
      if (was !== null) contributions.push({ of: was, sign: -1 });
      if (is !== null) contributions.push({ of: is, sign: 1 });
    }
    moves.push({ from: before, to: order });
    wakes.push(...effects.wakes);
    return { ...merged, sms: (firstNumber) => smsOf(merged, reading, news?.offset ?? null, firstNumber) };
  }

  return {
    load,
    merge,
    get written() {
      return {
        made,
        changed,
        seen,
        changes,
        messages: [...messages.values()],
        numbers,
        facts,
        lines,
        contributions,
        moves,
        wakes,
      };
    },
  };
}

/** As it is kept, with no number of its own to take. */
function still(row: SmsRow): SheetMessage {
  return { row, offset: null, toAll: false, toOwner: false };
}

/** Its sequence is 0 while nobody may see its order: it gets its number with the order's completion. */
function smsOf(
  { order, news }: Merged,
  { source, readAt }: Reading,
  offset: number | null,
  firstNumber: number,
): SmsRevision | null {
  if (news === null) return null;
  const sequence = offset === null ? 0 : firstNumber + offset;
  return { orderId: order.id, ...news, source, receivedAt: readAt, sequence };
}
