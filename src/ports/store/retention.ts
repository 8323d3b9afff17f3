import type { Instant } from '../../domain/time.ts';

/** Erases what must not be kept for ever. */
export interface RetentionStore {
  /**
   * Erases message texts, codes and phone numbers of orders that ended before the instant, the webhooks that brought
   * them, late answers kept before it as evidence unless their attempt waits still, and delivered lines of supplier
   * orders completed before it; at most `limit` of each. Returns how many it
   * erased: fewer than the limit means that none is left. Counts and money are kept.
   */
  erase(endedBefore: Instant, limit: number): Promise<number>;
  /** Makes the erased bytes leave the files, too. */
  scrub(): Promise<void>;
}
