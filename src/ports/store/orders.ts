import type { Visibility } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { BusinessJobId, OrderId } from '../../domain/ids.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Capabilities, Order, OrderSnapshot, OrderStatus } from '../../domain/orders/order.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { SmsRevision } from '../../domain/sms/accept.ts';
import type { Instant } from '../../domain/time.ts';

export interface OrderQuery {
  readonly statuses: readonly OrderStatus[] | null;
  readonly businessJobId: BusinessJobId | null;
  readonly phoneNumber: string | null;
  readonly createdFrom: Instant | null;
  readonly createdTo: Instant | null;
}

/** Positions sort by creation, then id, newest first. */
export interface OrderPosition {
  readonly createdAt: Instant;
  readonly id: OrderId;
}

/** What the poller needs to know of an open order. */
export interface OpenOrder {
  readonly id: OrderId;
  /** False while it has no usable number: the active list does not tell one. */
  readonly hasNumber: boolean;
}

export type Recorded =
  | {
      readonly kind: 'recorded';
      readonly order: Order;
      readonly news: SmsRevision | null;
      readonly changed: boolean;
      readonly conflict: boolean;
    }
  /** The inbox holds unworked records of this order: they go first, or an older message among them would be passed over. */
  | { readonly kind: 'inbox-first' };

/** One version of an order, for a follower: what its status and capabilities were then. */
export interface OrderChange {
  readonly version: number;
  readonly status: OrderStatus;
  readonly capabilities: Capabilities;
}

/**
 * Orders and their messages. An order that only a webhook has told of (its amount unknown) is kept and joined, but no
 * read here shows it before a snapshot completed it.
 */
export interface OrderStore {
  find(scope: Visibility, id: OrderId): Promise<Order | null>;
  byIds(scope: Visibility, ids: readonly OrderId[]): Promise<readonly Order[]>;
  page(
    scope: Visibility,
    query: OrderQuery,
    request: PageRequest<OrderPosition>,
  ): Promise<Page<Order, OrderPosition>>;
  /** Everything not in a terminal status, orders made elsewhere and incomplete ones included; the oldest first. */
  open(): Promise<readonly OpenOrder[]>;
  /**
   * Merges what a read told (`mergeSnapshot`), appends news and the change, and gives an ended order's money back to
   * its owner's budget, in one transaction. `readAt` is when the read began.
   */
  record(snapshot: OrderSnapshot, readAt: Instant): Promise<Recorded>;
  /**
   * Notes one reading of many orders: where it tells nothing new, `asOf` alone moves on. Returns the
   * snapshots that tell more, or whose inbox goes first: they are to be recorded. Not one transaction: each order by itself.
   */
  noteSeen(snapshots: readonly OrderSnapshot[], readAt: Instant): Promise<readonly OrderSnapshot[]>;
  changes(scope: Visibility, id: OrderId, afterVersion: number): Promise<readonly OrderChange[]>;
  /** Messages of one order above a revision, rising. */
  messages(
    scope: Visibility,
    id: OrderId,
    afterRevision: number,
    limit: number,
  ): Promise<readonly SmsRevision[]>;
  messagesOf(scope: Visibility, ids: readonly OrderId[]): Promise<readonly SmsRevision[]>;
  /** Messages of all visible orders behind a sequence number, in the order of their acceptance. None commits later with a lower number. */
  messagesAfter(scope: Visibility, afterSequence: number, limit: number): Promise<readonly SmsRevision[]>;
}

/** The kinds of action that are sent once. */
export type OrderAction = 'CANCEL' | 'FINISH' | 'RESEND';

export type ActionClaim =
  | { readonly kind: 'claimed'; readonly token: string }
  /** Another asker is at it; its outcome is what this one gets. `until` is when its lease ends at the latest. */
  | { readonly kind: 'running'; readonly until: Instant };

/** The outcome of an action as kept (as JSON, say) for those who asked at the same time. */
export type ActionRecord =
  | {
      readonly kind: 'receipt';
      /** Of a cancel: the one place where refund figures come from. */
      readonly refund: { readonly refundAmount: Rupiah; readonly newBalance: Rupiah } | null;
      /** Of a resend: whether it was passed on, and the revision accepted before it. */
      readonly resend: { readonly resent: boolean; readonly afterRevision: number } | null;
    }
  | { readonly kind: 'rejected'; readonly httpStatus: number; readonly code: string }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'ambiguous'; readonly latestStatus: OrderStatus | null };

/** Order actions take no idempotency key upstream: one at a time per order over all instances, and never repeated by itself. */
export interface ActionStore {
  /** Claims the order for one action for `leaseMs` milliseconds. Audited when claimed: who comes second has another's act told. */
  begin(id: OrderId, action: OrderAction, token: string, leaseMs: number, by: Actor): Promise<ActionClaim>;
  /** Keeps the outcome and ends the lease. A cancel's receipt gives the refund back to the owner's budget, once. */
  end(id: OrderId, action: OrderAction, token: string, outcome: ActionRecord): Promise<void>;
  /** The outcome of the action that ended last; null while it runs or when its asker died. */
  outcome(id: OrderId, action: OrderAction): Promise<ActionRecord | null>;
}
