import { z } from 'zod';
import { type Clock, instant } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Refused } from './answer.ts';

/** Counts what was let through within a sliding window. */
export type RateWindow = {
  /** null: let through and counted; else the whole seconds until the next one would be. */
  take(limit: number | null): number | null;
};

export function createRateWindow(clock: Clock, windowMs: number): RateWindow {
  let taken: number[] = [];
  let first = 0;
  return {
    take(limit) {
      if (limit === null) return null;
      const now = clock.now();
      while (first < taken.length && (taken[first] ?? now) <= now - windowMs) first++;
      if (taken.length - first >= limit) {
        const free = (taken[taken.length - limit] ?? now) + windowMs;
        return Math.max(1, Math.ceil((free - now) / 1000));
      }
      if (first > 10_000) {
        taken = taken.slice(first);
        first = 0;
      }
      taken.push(now);
      return null;
    },
  };
}

/** Blocks ordering for four hours once more than four fifths of at least 20 orders in ten minutes have failed. */
export type AbuseGuard = {
  /** The refusal while the ban lasts. */
  check(): Refused | null;
  count(failed: boolean): void;
};

const GUARD_WINDOW_MS = 10 * 60_000;
const GUARD_LEAST = 20;
const GUARD_SHARE = 0.8;
const BAN_MS = 4 * 3600 * 1000;

export function openAbuseGuard(clock: Clock, journal: Journal, enabled: () => boolean): AbuseGuard {
  let bannedUntil = 0;
  for (const [, value] of journal.entries('ban')) bannedUntil = z.number().parse(value);
  let seen: { at: number; failed: boolean }[] = [];

  return {
    check() {
      const now = clock.now();
      if (!enabled() || now >= bannedUntil) return null;
      const seconds = Math.ceil((bannedUntil - now) / 1000);
      return {
        kind: 'refused',
        code: 'TEMP_BANNED_ABUSE_GUARD',
        message: 'Ordering is blocked for a while after too many failures',
        details: { until: instant(bannedUntil), tier: 'HARD', retry_after_seconds: seconds },
        retryAfterSeconds: seconds,
      };
    },
    count(failed) {
      if (!enabled()) return;
      const now = clock.now();
      seen = seen.filter(({ at }) => at > now - GUARD_WINDOW_MS);
      seen.push({ at: now, failed });
      const failures = seen.filter((one) => one.failed).length;
      if (seen.length < GUARD_LEAST || failures <= seen.length * GUARD_SHARE) return;
      bannedUntil = now + BAN_MS;
      seen = [];
      journal.put('ban', 'until', bannedUntil);
    },
  };
}
