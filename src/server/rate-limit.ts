import type { Clock } from '../ports/clock.ts';

/** Keys counted at once; beyond that, full buckets are forgotten first. */
const SWEPT_AT = 10_000;
const ONE = 1_000;

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
  // In thousandths of a request, so that all of it is whole numbers: a millisecond gives `perSecond` of them.
  const full = 2 * perSecond * ONE;
  const buckets = new Map<string, { credit: number; at: number }>();

  const sweep = (now: number): void => {
    for (const [key, bucket] of buckets) {
      if (bucket.credit + (now - bucket.at) * perSecond >= full) buckets.delete(key);
    }
  };

  return {
    take(key) {
      const now = clock.now();
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= SWEPT_AT) sweep(now);
        buckets.set(key, { credit: full - ONE, at: now });
        return null;
      }
      // A clock set back gives nothing and takes nothing.
      bucket.credit = Math.min(full, bucket.credit + Math.max(0, now - bucket.at) * perSecond);
      bucket.at = now;
      if (bucket.credit < ONE) return Math.ceil((ONE - bucket.credit) / perSecond);
      bucket.credit -= ONE;
      return null;
    },
  };
}
