import type { OrderSnapshot } from './order.ts';

/** What a paid request came to, as the wire tells it; `settle` decides what it means. */
export type PaidReply =
  /** No answer, or one that broke off: refused connection, timeout, reset, half a body. */
  | { readonly kind: 'transport' }
  | { readonly kind: 'http-5xx'; readonly httpStatus: number; readonly retryAfterSeconds: number | null }
  /** Not UTF-8, not JSON, equal keys twice, or a failure not of the exact failure shape. */
  | { readonly kind: 'malformed'; readonly httpStatus: number; readonly retryAfterSeconds: number | null }
  /** A failure of the exact shape. */
  | {
      readonly kind: 'failure';
      readonly httpStatus: number;
      readonly code: string;
      readonly retryAfterSeconds: number | null;
    }
  /** Not 200, or success not true, or no data, or data beside error. */
  | { readonly kind: 'contradictory'; readonly httpStatus: number; readonly retryAfterSeconds: number | null }
  /** 200 with data that breaks the closed shape. */
  | { readonly kind: 'malformed-success'; readonly httpStatus: number }
  | { readonly kind: 'made'; readonly orders: readonly OrderSnapshot[]; readonly failedCount: number };
