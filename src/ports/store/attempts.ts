import type { Visibility } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Budget } from '../../domain/budget/budget.ts';
import type { AttemptId, BusinessJobId, CallerName, OrderId } from '../../domain/ids.ts';
import type {
  Attempt,
  AttemptDraft,
  AttemptEvent,
  AttemptState,
  Claim,
} from '../../domain/orders/attempt.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { Instant } from '../../domain/time.ts';

export interface AttemptWithOrders {
  readonly attempt: Attempt;
  /** Those it made or that were adopted into it, by id. */
  readonly orders: readonly Order[];
}

export type Prepared =
  /**
   * Inserted, its reserve booked, and already claimed for its first send by the asker (state SENDING), in one commit:
   * no gap in which a row stands unclaimed. `claim` is null when the draft was past its threshold: it is in OPERATOR_REVIEW.
   */
  | { readonly kind: 'fresh'; readonly attempt: Attempt; readonly claim: Claim | null }
  /** The job has an attempt already; nothing was changed. */
  | { readonly kind: 'known'; readonly attempt: Attempt }
  /** The idempotency key belongs to another attempt, whoever's; nothing was stored. */
  | { readonly kind: 'key-taken' }
  /** limit < spent + reserved + reserve; nothing was stored. */
  | { readonly kind: 'over-budget'; readonly budget: Budget };

export type Taken =
  /** Claimed, and SENDING committed: the holder must now send once and settle. */
  | { readonly kind: 'claimed'; readonly attempt: Attempt; readonly claim: Claim }
  /** Not to be sent: held by another, not due, final, or just now moved to OPERATOR_REVIEW. */
  | { readonly kind: 'not-sent'; readonly attempt: Attempt };

export type Settled =
  | { readonly kind: 'settled'; readonly attempt: Attempt; readonly orders: readonly Order[] }
  /** The claim was lost meanwhile. Nothing was changed but that the answer was kept as evidence. */
  | { readonly kind: 'claim-lost'; readonly attempt: Attempt };

export type Closing =
  | { readonly kind: 'closed'; readonly attempt: Attempt; readonly orders: readonly Order[] }
  | { readonly kind: 'not-found' }
  /** Only an attempt in OPERATOR_REVIEW can be closed. */
  | { readonly kind: 'not-in-review'; readonly attempt: Attempt }
  /** An order named is not known here, or belongs to another attempt. */
  | { readonly kind: 'order-taken'; readonly orderId: OrderId };

/** Positions sort by start, then id, newest first. */
export interface AttemptPosition {
  readonly startedAt: Instant;
  readonly id: AttemptId;
}

/**
 * Durable attempts. Every write is one transaction in which the store asks the pure domain what follows (`admitSend`,
 * `settle`, `mergeSnapshot`) by its own clock, books budget entries, and appends events by compare and set.
 */
export interface AttemptStore {
  find(caller: CallerName, businessJobId: BusinessJobId): Promise<AttemptWithOrders | null>;
  byIds(scope: Visibility, ids: readonly AttemptId[]): Promise<readonly Attempt[]>;
  /** Audited when fresh, as CREATE_ORDER or REACTIVATE_ORDER of the attempt. */
  prepare(draft: AttemptDraft, claimToken: string, by: Actor): Promise<Prepared>;
  /** Claims a due attempt for one more send, by `admitSend`. A sender found lost gets its own event first. */
  take(id: AttemptId, claimToken: string): Promise<Taken>;
  /**
   * By `settle`: the outcome event, the orders a `made` reply names (merged with what webhooks told of them before),
   * and the budget (reserve freed; what each order cost booked as spent), in one transaction.
   */
  settle(claim: Claim, reply: PaidReply): Promise<Settled>;
  /** Due for the reconciler: next_attempt_at passed, or the lease of a sender ran out. Oldest first. */
  due(limit: number): Promise<readonly AttemptId[]>;
  /** When the next attempt falls due; null when none is open. */
  nextDueAt(): Promise<Instant | null>;
  /** When the oldest attempt was stored that is not final; null when none is open. */
  oldestOpenAt(): Promise<Instant | null>;
  events(id: AttemptId, afterVersion: number): Promise<readonly AttemptEvent[]>;
  page(
    scope: Visibility,
    states: readonly AttemptState[] | null,
    request: PageRequest<AttemptPosition>,
  ): Promise<Page<Attempt, AttemptPosition>>;
  /** Moves an attempt out of OPERATOR_REVIEW; adopts the orders named, which must be known here by then. Audited as CLOSE_ATTEMPT. */
  close(
    caller: CallerName,
    businessJobId: BusinessJobId,
    closing: { readonly orderIds: readonly OrderId[]; readonly note: string },
    by: Actor,
  ): Promise<Closing>;
}
