import { isSafeInt } from '../../domain/int.ts';
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { HttpResult, NoAnswer } from '../http.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json.ts';

/** What one call came to, by the code in its answer and not by its status (supplier-v2.md, head and Codes). */
export type Verdict =
  | { readonly kind: 'success'; readonly httpStatus: number; readonly body: JsonObject }
  | Wait
  | Failure
  /** Not JSON, or not of the contract, or contradicting itself. */
  | { readonly kind: 'malformed'; readonly httpStatus: number }
  /** 5xx without a code of the contract: whose words they are nobody knows. */
  | { readonly kind: 'server-error'; readonly httpStatus: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'no-answer'; readonly why: NoAnswer['why'] }
  /** No place came free in time: nothing left. */
  | { readonly kind: 'not-sent' };

/** Nothing happened. After exactly so long, the very same request may be sent again. */
export interface Wait {
  readonly kind: 'wait';
  readonly code: string;
  readonly retryAfterMs: number;
}

export interface Failure {
  readonly kind: 'failure';
  readonly httpStatus: number;
  /** `HTTP_<status>` where what was sent does not look like a code. */
  readonly code: string;
  /** In the upstream's words: it may quote anything that it was sent. */
  readonly message: string | null;
}

const WAIT_CODES: ReadonlySet<string> = new Set(['RATE_LIMIT', 'CONCURRENCY_LIMIT', 'ORDER_DELIVERY_BUSY']);
const FINAL_CODES: ReadonlySet<string> = new Set([
  'API_KEY_REQUIRED',
  'INVALID_API_KEY',
  'ORDER_NOT_FOUND',
  'ACCESS_DENIED',
  'PAYMENT_NOT_COMPLETED',
  'INVALID_ACCOUNTS',
]);
const CODE = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** "1000 where absent"; what is no positive whole number counts as absent. */
const USUAL_WAIT = SECOND;
/** A silly number must not hold a delivery until its deadline. */
const LONGEST_WAIT = 5 * MINUTE;

export function judge(result: HttpResult): Verdict {
  if (result.kind === 'no-answer') return { kind: 'no-answer', why: result.why };
  const { status: httpStatus, retryAfterSeconds } = result;
  const parsed = parseJson(result.body);
  const body = parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value : null;
  const error = body?.['error'] ?? null;
  if (typeof error === 'string' && WAIT_CODES.has(error)) return wait(error, body);
  if (typeof error === 'string' && FINAL_CODES.has(error)) return failure(httpStatus, error, body);
  if (httpStatus >= 500) return { kind: 'server-error', httpStatus, retryAfterSeconds };
  // The provider's own worker waits at any 429, whatever its body.
  if (httpStatus === 429) return wait('HTTP_429', body);
  if (typeof error === 'string' && error !== '') {
    return failure(httpStatus, CODE.test(error) ? error : `HTTP_${httpStatus}`, body);
  }
  const isSuccess = httpStatus >= 200 && httpStatus < 300 && error === null && body?.['success'] !== false;
  return body !== null && isSuccess
    ? { kind: 'success', httpStatus, body }
    : { kind: 'malformed', httpStatus };
}

function wait(code: string, body: JsonObject | null): Wait {
  const told: JsonValue = body?.['retry_after_ms'] ?? null;
  const retryAfterMs = isSafeInt(told) && told > 0 ? Math.min(told, LONGEST_WAIT) : USUAL_WAIT;
  return { kind: 'wait', code, retryAfterMs };
}

function failure(httpStatus: number, code: string, body: JsonObject | null): Failure {
  const message = body?.['message'];
  return { kind: 'failure', httpStatus, code, message: typeof message === 'string' ? message : null };
}
