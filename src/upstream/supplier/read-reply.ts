import type { Instant } from '../../domain/time.ts';
import type { ReadReply } from '../../ports/numbers-api.ts';
import type { JsonObject } from '../json.ts';
import type { Verdict, Wait } from './verdict.ts';

/** What a call whose answer is read came to, or the wait before it is sent again. `parse` gives undefined for one that is not of the contract. */
export function readReply<Value>(
  verdict: Verdict,
  readAt: Instant,
  parse: (body: JsonObject) => Value | undefined,
): ReadReply<Value> | Wait {
  switch (verdict.kind) {
    case 'wait':
      return verdict;
    case 'success': {
      const value = parse(verdict.body);
      return value === undefined
        ? { kind: 'malformed', httpStatus: verdict.httpStatus }
        : { kind: 'read', value, readAt };
    }
    case 'failure': {
      const { httpStatus, code } = verdict;
      return code === 'API_KEY_REQUIRED' || code === 'INVALID_API_KEY'
        ? { kind: 'unauthorized', httpStatus }
        : { kind: 'refused', httpStatus, code };
    }
    case 'malformed':
      return verdict;
    case 'server-error': {
      const { httpStatus, retryAfterSeconds } = verdict;
      return { kind: 'unavailable', httpStatus, retryAfterSeconds };
    }
    case 'no-answer':
    case 'not-sent':
      return { kind: 'unavailable', httpStatus: null, retryAfterSeconds: null };
  }
}
