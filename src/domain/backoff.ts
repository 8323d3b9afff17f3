import { SECOND } from './time.ts';

/** The guide's replay schedule of a paid create: 2 s doubling, five times at most, never over a minute. */
const REPLAY_BASE = 2 * SECOND;
const REPLAY_DOUBLINGS = 5;
const REPLAY_CEILING = 60 * SECOND;

/** Reads: the longest Retry-After obeyed, and the longest wait of our own making (smscode-v1.md, Polling). */
const READ_RETRY_AFTER_CEILING = 60 * SECOND;
const READ_BACKOFF_CEILING = 30 * SECOND;

/**
 * Milliseconds until a paid request is replayed, after `sends` sends. A longer Retry-After wins: sent into a ban, a
 * request only prolongs it.
 */
export function replayBackoff(sends: number, retryAfterSeconds: number | null): number {
  const doublings = Math.min(Math.max(sends - 1, 0), REPLAY_DOUBLINGS);
  const ours = Math.min(REPLAY_BASE * 2 ** doublings, REPLAY_CEILING);
  return Math.max(ours, (retryAfterSeconds ?? 0) * SECOND);
}

/**
 * Milliseconds until a throttled read is tried again: min(Retry-After, 60 s), else min(1 s * 2^n + up to 1 s, 30 s).
 * `retry` counts from 0; `chance` is a random number from 0 to 1, injected so that tests are exact.
 */
export function readBackoff(retry: number, retryAfterSeconds: number | null, chance: number): number {
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds * SECOND, READ_RETRY_AFTER_CEILING);
  return Math.min(SECOND * 2 ** Math.min(retry, 10) + chance * SECOND, READ_BACKOFF_CEILING);
}

/** Null unless the header is a positive whole number of seconds: a date, a fraction, zero and a negative count as absent. */
export function parseRetryAfter(header: string | null): number | null {
  if (header === null || !/^[0-9]{1,10}$/.test(header)) return null;
  const seconds = Number(header);
  return seconds > 0 ? seconds : null;
}
