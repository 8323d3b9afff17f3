import type { Instant } from '../../domain/time.ts';
import type { ReadReply } from '../../ports/numbers-api.ts';
import type { HttpResult } from '../http.ts';
import { type Envelope, readEnvelope, type Success } from './envelope.ts';

/** The status that each code has by contract, for a failure that comes under 200 (smscode-v1.md, Error codes). */
const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map([
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['RATE_LIMIT_EXCEEDED', 429],
  ['TEMP_BANNED_ABUSE_GUARD', 429],
  ['INTERNAL_ERROR', 500],
  ['SERVICE_UNAVAILABLE', 503],
  ['FX_RATE_UNAVAILABLE', 503],
]);

/**
 * What a read came to. `parse` gives null for data that is not of the contract. A token refused, a throttle and a
 * broken server are told by the status alone: what stands in front of the provider writes bodies of its own.
 */
export function readReply<Value>(
  result: HttpResult,
  readAt: Instant,
  parse: (success: Success) => Value | null,
): ReadReply<Value> {
  if (result.kind === 'no-answer') return { kind: 'unavailable', httpStatus: null, retryAfterSeconds: null };
  const httpStatus = result.status;
  const envelope = readEnvelope(result);
  switch (effectiveStatus(httpStatus, envelope)) {
    case 401:
    case 403:
      return { kind: 'unauthorized', httpStatus };
    case 429:
      return { kind: 'throttled', retryAfterSeconds: retryAfter(result.retryAfterSeconds, envelope) };
    case 500:
      return {
        kind: 'unavailable',
        httpStatus,
        retryAfterSeconds: retryAfter(result.retryAfterSeconds, envelope),
      };
  }
  if (envelope.kind === 'failure') return { kind: 'refused', httpStatus, code: envelope.code };
  const value = envelope.kind === 'success' ? parse(envelope) : null;
  return value === null ? { kind: 'malformed', httpStatus } : { kind: 'read', value, readAt };
}

/** Every 5xx as 500; a failure under 200 as if it had come under its own status. */
function effectiveStatus(httpStatus: number, envelope: Envelope): number {
  const status =
    httpStatus === 200 && envelope.kind === 'failure'
      ? (STATUS_OF_CODE.get(envelope.code) ?? httpStatus)
      : httpStatus;
  return Math.min(status, 500);
}

function retryAfter(header: number | null, envelope: Envelope): number | null {
  return header ?? (envelope.kind === 'failure' ? envelope.retryAfterSeconds : null);
}
