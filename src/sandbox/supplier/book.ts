import type { DeliveredEvent, SupplierEvent } from './event.ts';
import { freshLines, splitLines } from './lines.ts';
import {
  isLeased,
  isPaid,
  newRecord,
  type OrderFacts,
  type OrderRecord,
  type OrderStatus,
  type PaymentStatus,
  type ProductType,
  storeLines,
} from './order.ts';

/** GET /orders after its defaults; null is "any". Bounds are inclusive, in epoch milliseconds. */
export type OrderFilter = {
  readonly statuses: readonly OrderStatus[] | null;
  readonly paymentStatuses: readonly PaymentStatus[];
  readonly productTypes: readonly ProductType[] | null;
  readonly entityType: string | null;
  readonly subCategory: string | null;
  readonly createdFrom: number | null;
  readonly createdTo: number | null;
  readonly limit: number;
  readonly offset: number;
};

/** One delivery as asked for; `accounts` is judged by the line rules alone. */
export type Delivery = {
  readonly order: string;
  readonly status: DeliveredEvent['status'];
  readonly accounts: unknown;
  /** null, of both: leave what was set. */
  readonly externalId: string | null;
  readonly externalPrice: string | number | null;
};

/** When a call takes effect, which request it is, and how long a new order cannot be found by its id. */
export type CallContext = {
  readonly now: number;
  readonly request: number;
  readonly notFoundMs: number;
};

export type WriteRefusal = 'ORDER_NOT_FOUND' | 'ACCESS_DENIED' | 'PAYMENT_NOT_COMPLETED' | 'INVALID_ACCOUNTS';
export type WriteResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: WriteRefusal };

/** What the ledger says of a claim, and of a stored line. Instants are epoch milliseconds. */
export type Claim = { readonly order: string; readonly at: number; readonly request: number };
export type StoredLine = Claim & { readonly line: string };

/** The supplier's orders and what happened to them. Nothing waits: that is what makes a claim's change conditional. */
export type SupplierBook = {
  /** Places a buyer's order. */
  place(facts: OrderFacts): OrderRecord;
  /** GET /orders: reads, oldest first, and changes nothing. */
  list(filter: OrderFilter, now: number): readonly OrderRecord[];
  /**
   * POST /orders-pull: turns up to `limit` paid, unleased, pending manual orders to processing, oldest first, and
   * returns those whose change happened.
   */
  pull(limit: number, call: CallContext): readonly OrderRecord[];
  /** PATCH last-process-time: the one writer of that field; null lets go. */
  lease(order: string, lastProcessTime: number | null, call: CallContext): WriteResult;
  /** POST /orders-update and accounts-bulk. */
  deliver(delivery: Delivery, call: CallContext): WriteResult;
  /** Replays an event that was recorded earlier. */
  apply(event: SupplierEvent): void;
  /** Every order, oldest first. */
  orders(): readonly OrderRecord[];
  /** How many there are. */
  count(): number;
  readonly claims: readonly Claim[];
  readonly lines: readonly StoredLine[];
};

/** An empty book. `record` is called with each change before it is made: replayed by `apply`, they give this book again. */
export function createBook(record: (event: SupplierEvent) => void): SupplierBook {
  const orders = new Map<string, OrderRecord>();
  const claims: Claim[] = [];
  const lines: StoredLine[] = [];

  function known(id: string): OrderRecord {
    const order = orders.get(id);
    if (order === undefined) throw new Error(`no supplier order ${id}: the journal is not whole`);
    return order;
  }

  function apply(event: SupplierEvent): void {
    switch (event.kind) {
      case 'ordered':
        orders.set(event.order.id, newRecord(event.order));
        return;
      case 'claimed':
        for (const order of event.orders) {
          known(order).status = 'processing';
          claims.push({ order, at: event.at, request: event.request });
        }
        return;
      case 'leased':
        known(event.order).lastProcessTime = event.lastProcessTime;
        return;
      case 'delivered': {
        const order = known(event.order);
        storeLines(order, event.lines);
        for (const line of event.lines) {
          lines.push({ order: event.order, line, at: event.at, request: event.request });
        }
        // A late partial never opens a closed order again.
        if (event.status === 'completed') order.status = 'completed';
        else if (order.status === 'pending') order.status = 'processing';
        if (event.externalId !== null) order.externalId = event.externalId;
        if (event.externalPrice !== null) order.externalPrice = event.externalPrice;
        return;
      }
    }
  }

  function commit(event: SupplierEvent): { readonly kind: 'done' } {
    record(event);
    apply(event);
    return { kind: 'done' };
  }

  /** The order that a write names by its id, or why it may not be written. */
  function reach(id: string, call: CallContext): OrderRecord | WriteRefusal {
    const order = orders.get(id);
    if (order === undefined || call.now < order.facts.createdAt + call.notFoundMs) return 'ORDER_NOT_FOUND';
    return order.facts.foreign ? 'ACCESS_DENIED' : order;
  }

  return {
    claims,
    lines,
    apply,
    orders: () => [...orders.values()],
    count: () => orders.size,
    place(facts) {
      commit({ kind: 'ordered', order: facts });
      return known(facts.id);
    },
    list(filter, now) {
      const found = [...orders.values()].filter((order) => !isLeased(order, now) && matches(order, filter));
      return found.slice(filter.offset, filter.offset + filter.limit);
    },
    pull(limit, call) {
      const claimed: OrderRecord[] = [];
      for (const order of orders.values()) {
        if (claimed.length === limit) break;
        if (isClaimable(order, call.now)) claimed.push(order);
      }
      if (claimed.length > 0) {
        const ids = claimed.map((order) => order.facts.id);
        commit({ kind: 'claimed', at: call.now, request: call.request, orders: ids });
      }
      return claimed;
    },
    lease(id, lastProcessTime, call) {
      const order = reach(id, call);
      if (typeof order === 'string') return { kind: 'refused', code: order };
      return commit({ kind: 'leased', order: id, lastProcessTime });
    },
    deliver(delivery, call) {
      const order = reach(delivery.order, call);
      if (typeof order === 'string') return { kind: 'refused', code: order };
      if (!isPaid(order.facts)) return { kind: 'refused', code: 'PAYMENT_NOT_COMPLETED' };
      const split = splitLines(delivery.accounts);
      // Counted before the repeats fall away: a batch of nothing but repeats is what a safe resend looks like. For the
      // same reason no status of the order refuses one, and `completed` short of the quantity is the caller's word.
      if (split.length === 0) return { kind: 'refused', code: 'INVALID_ACCOUNTS' };
      return commit({
        kind: 'delivered',
        at: call.now,
        request: call.request,
        order: delivery.order,
        status: delivery.status,
        lines: freshLines(split, order.folded, order.facts.quantity - order.lines.length),
        externalId: delivery.externalId,
        externalPrice: delivery.externalPrice,
      });
    },
  };
}

/**
 * Foreign orders are claimed and listed like any other: a client that knows orders by claims and listings alone
 * would otherwise never meet ACCESS_DENIED.
 */
function isClaimable(order: OrderRecord, now: number): boolean {
  return (
    order.status === 'pending' &&
    order.facts.productType === 'manual' &&
    isPaid(order.facts) &&
    !isLeased(order, now)
  );
}

function matches(order: OrderRecord, filter: OrderFilter): boolean {
  const { facts } = order;
  return (
    filter.paymentStatuses.includes(facts.paymentStatus) &&
    (filter.statuses === null || filter.statuses.includes(order.status)) &&
    (filter.productTypes === null || filter.productTypes.includes(facts.productType)) &&
    (filter.entityType === null || filter.entityType === facts.entityType) &&
    (filter.subCategory === null || filter.subCategory === facts.subCategory) &&
    (filter.createdFrom === null || facts.createdAt >= filter.createdFrom) &&
    (filter.createdTo === null || facts.createdAt <= filter.createdTo)
  );
}
