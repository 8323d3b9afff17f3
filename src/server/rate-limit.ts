import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';

/** Keys counted at once; beyond that, full buckets are forgotten first. */
const SWEPT_AT = 10_000;

export interface RateLimit {
  /** Takes one request of the key. Null: go on; else the milliseconds after which one more would be let through. */
  take(key: string): number | null;
}

/**
 * A token bucket a key: `perSecond` requests, and a burst of twice that. rate-limiter-flexible counts in fixed windows:
 * it lets four times the rate through around a window's edge and refuses for the whole rest of one.
 */
export function createRateLimit(perSecond: number | 'off', clock: Clock): RateLimit {
  if (perSecond === 'off') return { take: () => null };
  const burst = 2 * perSecond;
  const perMillisecond = perSecond / SECOND;
  const buckets = new Map<string, { tokens: number; at: number }>();

  const sweep = (now: number): void => {
    for (const [key, bucket] of buckets) {
      if (bucket.tokens + (now - bucket.at) * perMillisecond >= burst) buckets.delete(key);
    }
  };

  return {
    take(key) {
      const now = clock.now();
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= SWEPT_AT) sweep(now);
        buckets.set(key, { tokens: burst - 1, at: now });
        return null;
      }
      // A clock set back gives nothing and takes nothing.
      bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMillisecond);
      bucket.at = now;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMillisecond);
      bucket.tokens -= 1;
      return null;
    },
  };
}
