import type { Actor } from '../../domain/audit.ts';
import type { CallerName, DeliveryId, SupplierOrderId } from '../../domain/ids.ts';
import type { Delivery, DeliveryReply } from '../../domain/supplier/delivery.ts';
import type { SupplierOrder, SupplierOrderSnapshot } from '../../domain/supplier/order.ts';
import type { Instant } from '../../domain/time.ts';

/** Whose claims a follower sees: its own, the automatic puller's and found ones; an operator sees all. */
export type ClaimScope = { readonly kind: 'own'; readonly caller: CallerName } | { readonly kind: 'all' };

/** A pull that was begun: while its answer is out, an order in processing may be the pull's to claim. */
export interface Pull {
  readonly id: string;
}

export interface Found {
  /** Those that no claim was written down of, now claimed. */
  readonly adopted: readonly SupplierOrder[];
  /** Others may be held by a pull that is under way: look again then, when its time limit has passed. */
  readonly again: Instant | null;
}

export interface CompletionTimes {
  /** Orders claimed in the time asked about. */
  readonly claimed: number;
  /** From claim to completed, of those of them that are completed. */
  readonly seconds: readonly number[];
}

export type PreparedDelivery =
  /** Stored, and claimed for its first send by the asker. */
  | { readonly kind: 'fresh'; readonly delivery: Delivery; readonly token: string }
  /** One is pending on this order already; nothing was stored. */
  | { readonly kind: 'pending'; readonly delivery: Delivery }
  /** The lines delivered changed since the plan was made: plan again. */
  | { readonly kind: 'outdated' };

export type TakenDelivery =
  | { readonly kind: 'claimed'; readonly delivery: Delivery; readonly token: string }
  | { readonly kind: 'not-sent'; readonly delivery: Delivery };

/** All of one moment: lines of now beside a count of before would leave room that is not there. */
export interface DeliveredLines {
  /** Null: one that was never seen. */
  readonly order: SupplierOrder | null;
  readonly lines: readonly string[];
  /** Rises with every settled delivery of the order: what a plan was made from. */
  readonly version: number;
}

/** Supplier orders, claims and deliveries. Lines and bodies are kept encrypted. */
export interface SupplierStore {
  find(id: SupplierOrderId): Promise<SupplierOrder | null>;
  byIds(ids: readonly SupplierOrderId[]): Promise<readonly SupplierOrder[]>;
  /** Keeps what a list told. Never unclaims, never lowers a delivered count. `readAt` is when the read began. */
  record(snapshots: readonly SupplierOrderSnapshot[], readAt: Instant): Promise<readonly SupplierOrder[]>;

  /** Written down before the pull leaves, with the time limit after which its answer counts as lost. Audited unless the puller's own (null). */
  beginPull(pull: Pull, limitMs: number, by: Actor | null): Promise<void>;
  /** Writes the claims down and settles the pull, in one transaction. Returns those that nobody had claimed before. */
  endPull(
    pull: Pull,
    claimedBy: CallerName | null,
    snapshots: readonly SupplierOrderSnapshot[],
  ): Promise<readonly SupplierOrder[]>;
  /**
   * Claims processing orders that no claim was written down of, unless a pull that may hold them is still under way.
   * `readAt` is when the read began: a lease that was taken meanwhile is newer than what it tells.
   */
  adoptFound(snapshots: readonly SupplierOrderSnapshot[], readAt: Instant): Promise<Found>;
  claimsAfter(scope: ClaimScope, sequence: number, limit: number): Promise<readonly SupplierOrder[]>;
  /** The number of the newest claim; 0 when there is none. */
  lastClaimSequence(): Promise<number>;

  /**
   * Keeps a lease as written upstream; null: let go. `renew`: the gateway renews it while the order is open. Audited
   * unless the gateway's own renewal (null).
   */
  setLease(
    id: SupplierOrderId,
    lastProcessTime: Instant | null,
    renew: boolean,
    by: Actor | null,
  ): Promise<SupplierOrder | null>;
  /** Open claims whose lease is to be renewed and was last written before the instant. */
  leasesToRenew(writtenBefore: Instant, limit: number): Promise<readonly SupplierOrder[]>;

  deliveredLines(id: SupplierOrderId): Promise<DeliveredLines>;
  deliveries(ids: readonly SupplierOrderId[]): Promise<readonly Delivery[]>;
  delivery(id: DeliveryId): Promise<Delivery | null>;
  /** One pending delivery per order. `version` is that of the lines the plan was made from. Audited when fresh, of the delivery. */
  prepareDelivery(
    delivery: Pick<Delivery, 'id' | 'orderId' | 'caller' | 'endpoint' | 'body' | 'lines' | 'status'> & {
      readonly externalId: string | null;
      readonly externalPrice: string | null;
    },
    version: number,
    token: string,
    by: Actor,
  ): Promise<PreparedDelivery>;
  /** By `admitDelivery`; one past its deadline becomes EXPIRED. */
  takeDelivery(id: DeliveryId, token: string): Promise<TakenDelivery>;
  /** By `settleDelivery`, only while the token holds. An accepted one counts its lines on the order, and closes it when COMPLETED. */
  settleDelivery(id: DeliveryId, token: string, reply: DeliveryReply): Promise<Delivery>;
  dueDeliveries(limit: number): Promise<readonly DeliveryId[]>;
  nextDeliveryDueAt(): Promise<Instant | null>;

  completionTimes(since: Instant): Promise<CompletionTimes>;
}

/** How the supplier API's limits are kept over all instances. */
export type SlotGrant =
  | { readonly kind: 'granted' }
  | { readonly kind: 'wait'; readonly milliseconds: number };

export interface SupplierSlots {
  /**
   * One of the places for a call: at most `places` at once; for an update, at least `spacingMs` after the last one. A
   * place not given back in `leaseMs` is free again: its holder died.
   */
  take(
    token: string,
    wish: {
      readonly places: number;
      readonly isUpdate: boolean;
      readonly spacingMs: number;
      readonly leaseMs: number;
    },
  ): Promise<SlotGrant>;
  giveBack(token: string): Promise<void>;
}
