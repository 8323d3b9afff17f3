import * as z from 'zod';
import { isSafeInt } from '../../domain/int.ts';
import type { HttpAnswer } from '../http.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json.ts';
import { jsonObject } from './shapes.ts';

/** An answer by its outermost shape (smscode-v1.md, Envelope), whatever it was asked for. */
export type Envelope =
  | Success
  | Failure
  /** Not UTF-8, not JSON, equal keys twice, or a failure that is not of the exact shape. */
  | { readonly kind: 'malformed' }
  /** Not 200, or success not true, or no data, or data beside error. */
  | { readonly kind: 'contradictory' };

export interface Success {
  readonly kind: 'success';
  readonly data: JsonValue;
  readonly meta: JsonValue | undefined;
  /** No keys but success, data and meta: what a receipt must have. */
  readonly closed: boolean;
}

export interface Failure {
  readonly kind: 'failure';
  readonly code: string;
  /** From the details, where a ban says how long it lasts. */
  readonly retryAfterSeconds: number | null;
}

const exactFailure = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), details: jsonObject.optional() }),
});

/** In the order of the create contract's table: that a failure is exact is asked before its status is. */
export function readEnvelope(answer: Pick<HttpAnswer, 'status' | 'body'>): Envelope {
  const parsed = parseJson(answer.body);
  if (parsed.kind === 'not-json') return { kind: 'malformed' };
  const body = parsed.value;
  if (!isJsonObject(body)) return { kind: 'contradictory' };
  if (body['success'] === false) {
    const failure = exactFailure.safeParse(body);
    if (!failure.success) return { kind: 'malformed' };
    const { code, details } = failure.data.error;
    return { kind: 'failure', code, retryAfterSeconds: retryAfterOf(details) };
  }
  const { data } = body;
  if (
    answer.status !== 200 ||
    body['success'] !== true ||
    data === undefined ||
    Object.hasOwn(body, 'error')
  ) {
    return { kind: 'contradictory' };
  }
  const closed = Object.keys(body).every((key) => key === 'success' || key === 'data' || key === 'meta');
  return { kind: 'success', data, meta: body['meta'], closed };
}

function retryAfterOf(details: JsonObject | undefined): number | null {
  const seconds = details?.['retry_after_seconds'];
  return isSafeInt(seconds) && seconds > 0 ? seconds : null;
}
