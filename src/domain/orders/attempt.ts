import type {
  AttemptId,
  BusinessJobId,
  CallerName,
  CatalogProductId,
  IdempotencyKey,
  OperatorId,
  OrderId,
} from '../ids.ts';
import type { Rupiah } from '../money.ts';
import { earliest, HOUR, type Instant, later, SECOND } from '../time.ts';

/** No attempt is replayed by itself for longer than this after its start, whatever its review threshold. */
export const LONGEST_REPLAY = HOUR;
/** Sends of one attempt, the first included. */
export const MOST_SENDS = 32;
/** One send, connecting included. */
export const SEND_TIMEOUT = 30 * SECOND;
/** Longer than a send can take: a lease that has run out means that its sender is dead or its answer worthless. */
export const SEND_LEASE = 45 * SECOND;

export const attemptStates = [
  'PREPARED',
  'SENDING',
  'NEEDS_RECONCILIATION',
  'RESOLVED',
  'DEFINITIVE_REJECTION',
  'INSUFFICIENT_BALANCE',
  'OPERATOR_REVIEW',
  'CLOSED',
] as const;
export type AttemptState = (typeof attemptStates)[number];

export const reconciliationReasons = [
  'TRANSPORT',
  'HTTP_5XX',
  'MALFORMED_RESPONSE',
  'REQUEST_IN_PROGRESS',
  'UNKNOWN_RESPONSE',
  'CONTRADICTORY_RESPONSE',
  'MALFORMED_SUCCESS',
  'SENDER_LOST',
] as const;
export type ReconciliationReason = (typeof reconciliationReasons)[number];

export const rejectionCodes = [
  'NO_OFFER_AVAILABLE',
  'VALIDATION_ERROR',
  'PROVIDER_ERROR',
  'IDEMPOTENCY_KEY_REUSED',
  'NOT_FOUND',
  'CONFLICT',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

export type OrderPolicy = 'CHEAPEST' | 'BEST_SUCCESS';

/** Which offer to take, passed on to the provider. */
export interface Routing {
  readonly operatorId: OperatorId | null;
  readonly minPrice: Rupiah | null;
  readonly policy: OrderPolicy | null;
  readonly preferProvider: string | null;
}

/** What was asked for, kept to tell a repetition from another request. */
export type AttemptRequest =
  | {
      readonly kind: 'CREATE';
      readonly catalogProductId: CatalogProductId;
      readonly quantity: number;
      readonly maxUnitPrice: Rupiah | null;
      readonly routing: Routing | null;
    }
  | { readonly kind: 'REACTIVATE'; readonly orderId: OrderId; readonly maxCost: Rupiah };

export type AttemptKind = AttemptRequest['kind'];

/** Bound for good when the attempt is prepared; a second request with others is a conflict. */
export interface AttemptDraft {
  readonly id: AttemptId;
  readonly caller: CallerName;
  readonly businessJobId: BusinessJobId;
  readonly request: AttemptRequest;
  readonly endpoint: string;
  /** The exact bytes of every send. Stored, and never built again: a newer program may build others. */
  readonly body: string;
  readonly fingerprint: string;
  readonly idempotencyKey: IdempotencyKey;
  /** Null: an hour after the start, by the store's clock. */
  readonly reviewThresholdAt: Instant | null;
  /** Of a reactivation whose parent has none: null. */
  readonly catalogProductId: CatalogProductId | null;
  readonly quantity: number;
  /** Held in the caller's budget until the outcome is known: quantity times the bound sent, or the dearest current tier. */
  readonly reserve: Rupiah;
}

/** A claim on the attempt: only its holder may append, and only while token and version are unchanged. */
export interface Claim {
  readonly attemptId: AttemptId;
  readonly token: string;
  readonly version: number;
}

export interface Attempt extends Omit<AttemptDraft, 'reviewThresholdAt' | 'reserve'> {
  readonly state: AttemptState;
  /** Why it needs reconciliation; null in every other state. */
  readonly reason: ReconciliationReason | null;
  readonly rejection: { readonly code: RejectionCode; readonly httpStatus: number } | null;
  readonly failedCount: number;
  readonly sends: number;
  /** The number of the last event. */
  readonly version: number;
  readonly startedAt: Instant;
  readonly reviewThresholdAt: Instant;
  readonly replayDeadlineAt: Instant;
  readonly nextAttemptAt: Instant | null;
  readonly leaseUntil: Instant | null;
  /** What is still held in the budget. */
  readonly reserved: Rupiah;
}

/** One state change; appended, never rewritten. */
export interface AttemptEvent {
  readonly version: number;
  readonly state: AttemptState;
  readonly reason: ReconciliationReason | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly note: string | null;
  /** As they stood with this event, so that a follower can be shown the attempt as it then was. */
  readonly sends: number;
  readonly nextAttemptAt: Instant | null;
  readonly at: Instant;
}

export function isFinal(state: AttemptState): boolean {
  switch (state) {
    case 'RESOLVED':
    case 'DEFINITIVE_REJECTION':
    case 'INSUFFICIENT_BALANCE':
    case 'OPERATOR_REVIEW':
    case 'CLOSED':
      return true;
    case 'PREPARED':
    case 'SENDING':
    case 'NEEDS_RECONCILIATION':
      return false;
  }
}

/** What the gateway itself notes of an attempt's events. The console says the same in its reader's language. */
export const attemptNotes = {
  deadlinePassed: 'the replay deadline has passed',
  outOfSends: 'out of sends',
  orderTwice: 'the answer names an order twice',
  orderOfAnother: 'an order of the answer belongs to another attempt',
} as const;

/** Those that move on by themselves. */
export const openStates: readonly AttemptState[] = attemptStates.filter((state) => !isFinal(state));

export function replayDeadline(reviewThresholdAt: Instant, startedAt: Instant): Instant {
  return earliest(reviewThresholdAt, later(startedAt, LONGEST_REPLAY));
}
