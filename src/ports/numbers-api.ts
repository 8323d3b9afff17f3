import type { Country, ExchangeRate, Operator, Platform, Product } from '../domain/catalog/product.ts';
import type { CountryId, OperatorId, OrderId, PlatformId } from '../domain/ids.ts';
import type { Rupiah } from '../domain/money.ts';
import type { Attempt } from '../domain/orders/attempt.ts';
import type { OrderSnapshot } from '../domain/orders/order.ts';
import type { PaidReply } from '../domain/orders/reply.ts';
import type { Instant } from '../domain/time.ts';

/** Why a read came to nothing. */
export type UpstreamFault =
  | { readonly kind: 'not-configured' }
  /** No answer, a broken one, a timeout, or 5xx: trying again later may help. */
  | {
      readonly kind: 'unavailable';
      readonly httpStatus: number | null;
      readonly retryAfterSeconds: number | null;
    }
  /** 401 or 403: the token is wrong. */
  | { readonly kind: 'unauthorized'; readonly httpStatus: number }
  /** 429. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number | null }
  /** An answer that is not of the contract. */
  | { readonly kind: 'malformed'; readonly httpStatus: number }
  /** A well-formed failure that is none of the above, 404 NOT_FOUND say. */
  | { readonly kind: 'refused'; readonly httpStatus: number; readonly code: string };

export type ReadReply<Value> =
  /** `readAt` is when the call was begun: what it tells is at least as new. */
  { readonly kind: 'read'; readonly value: Value; readonly readAt: Instant } | UpstreamFault;

export const cancelRejectionCodes = [
  'UNAUTHORIZED',
  'NOT_FOUND',
  'CONFLICT',
  'CANCEL_TOO_EARLY',
  'PROVIDER_ERROR',
  'VALIDATION_ERROR',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;
export type CancelRejectionCode = (typeof cancelRejectionCodes)[number];
export type ActionRejectionCode = Exclude<CancelRejectionCode, 'CANCEL_TOO_EARLY'>;

/** What an order action, sent once, came to. Only a documented pair of status and code is a rejection. */
export type ActionReply<Receipt, Code extends string> =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'rejected'; readonly httpStatus: number; readonly code: Code }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'not-configured' };

export interface RefundReceipt {
  readonly refundAmount: Rupiah;
  readonly newBalance: Rupiah;
}

/** The account's webhook settings. The secret itself never leaves the adapter. */
export interface WebhookSettings {
  readonly url: string | null;
  readonly secretSet: boolean;
  readonly consecutiveFailures: number;
  readonly disabledAt: Instant | null;
  readonly disabledReason: string | null;
}

/** Null: any. Without an operator the provider may list only the tiers that have none, or all: both are to be expected. */
export interface CatalogFilter {
  readonly countryId: CountryId | null;
  readonly platformId: PlatformId | null;
  readonly operatorId: OperatorId | null;
}

/**
 * The buyer-side upstream, SMSCode /v1. Every answer is closed: nothing throws for what an upstream may do. Calls are
 * bounded (connect 5 s, whole 30 s, or less where `deadline` is nearer) and share the UPSTREAM_CONCURRENCY places, paid calls first.
 */
export interface NumbersApi {
  /** All pages of what the filter lets through; rows keyed by id, the last reading of a row wins. */
  products(filter: CatalogFilter): Promise<ReadReply<readonly Product[]>>;
  countries(): Promise<ReadReply<readonly Country[]>>;
  services(countryId: CountryId | null): Promise<ReadReply<readonly Platform[]>>;
  operators(countryId: CountryId, platformId: PlatformId): Promise<ReadReply<readonly Operator[]>>;
  exchangeRate(pair: string): Promise<ReadReply<ExchangeRate>>;
  balance(): Promise<ReadReply<{ readonly currency: string; readonly amount: Rupiah }>>;
  /** `deadline`: when a caller stops waiting; timeouts are cut to it. */
  order(id: OrderId, deadline?: Instant): Promise<ReadReply<OrderSnapshot>>;
  /** All open orders of the account. An element that is no snapshot is left out and counted in `spoiled`. */
  activeOrders(): Promise<ReadReply<{ readonly orders: readonly OrderSnapshot[]; readonly spoiled: number }>>;
  /** Newest first; `limit` 1 to 100. */
  orders(page: {
    readonly limit: number;
    readonly offset: number;
  }): Promise<ReadReply<readonly OrderSnapshot[]>>;
  /** One POST of the attempt's stored bytes under its key. Never repeated in here. */
  sendPaid(attempt: Pick<Attempt, 'endpoint' | 'body' | 'idempotencyKey'>): Promise<PaidReply>;
  cancel(id: OrderId): Promise<ActionReply<RefundReceipt, CancelRejectionCode>>;
  finish(id: OrderId): Promise<ActionReply<null, ActionRejectionCode>>;
  resend(id: OrderId): Promise<ActionReply<{ readonly resent: boolean }, ActionRejectionCode>>;
  reactivationQuote(id: OrderId): Promise<ReadReply<Rupiah>>;
  webhook(): Promise<ReadReply<WebhookSettings>>;
  setWebhookUrl(url: string): Promise<ReadReply<WebhookSettings>>;
  testWebhook(): Promise<ReadReply<{ readonly statusCode: number }>>;
}
