import { type Instant, later, MINUTE } from '../time.ts';

/** How long list calls leave an order out after its lastProcessTime (supplier-v2.md, The lease). */
const LEASE = 30 * MINUTE;
/** A lease is renewed when this much of it is over: two more tries then still fit before it runs out. */
export const RENEW_AFTER = 10 * MINUTE;

/** lastProcessTime + 30 minutes while that lies ahead; else null. */
export function leasedUntil(lastProcessTime: Instant | null, now: Instant): Instant | null {
  if (lastProcessTime === null) return null;
  const end = later(lastProcessTime, LEASE);
  return end > now ? end : null;
}
