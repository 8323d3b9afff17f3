import { type Answer, failure } from './answer.ts';

/**
 * The three limits of one API key, which is one user here: each answers a refusal that tells its waiting time, or
 * null. Kept in memory alone: no request survives a restart, and so nothing that a limit counts does.
 */
export type Gate = {
  /** CONCURRENCY_LIMIT while two requests are under way. */
  concurrency(): Answer | null;
  /**
   * Counts an orders-update, or RATE_LIMIT with the exact rest of the interval since the last one that was counted.
   * A refused call is not counted: one who waits exactly as told is let through.
   */
  spacing(now: number, intervalMs: number): Answer | null;
  /** ORDER_DELIVERY_BUSY while another delivery on the same order is under way. */
  delivery(order: string): Answer | null;
  /** Takes a place, and the order where the request delivers on one; what it returns gives both back. */
  enter(delivers: string | null): () => void;
};

/** "At most two requests at once per user", whatever the operation (contract: "Limits"). */
const MAX_UNDER_WAY = 2;
/** The provider's own number. */
const CONCURRENCY_RETRY_MS = 5000;
/** Ours: the contract gives none. Longer than our processing time, short against the 10 s of a delivery mutation. */
const BUSY_RETRY_MS = 250;

export function createGate(): Gate {
  let underWay = 0;
  let lastUpdateAt = Number.NEGATIVE_INFINITY;
  const delivering = new Set<string>();

  return {
    concurrency: () =>
      underWay < MAX_UNDER_WAY
        ? null
        : failure(429, 'CONCURRENCY_LIMIT', 'Too many concurrent sync requests', CONCURRENCY_RETRY_MS),
    spacing(now, intervalMs) {
      const rest = lastUpdateAt + intervalMs - now;
      // More than the interval is left only where the clock stepped back: that must not lock the key out.
      if (rest > 0 && rest <= intervalMs) {
        return failure(429, 'RATE_LIMIT', 'Too many order update requests', rest);
      }
      lastUpdateAt = now;
      return null;
    },
    delivery: (order) =>
      delivering.has(order)
        ? failure(429, 'ORDER_DELIVERY_BUSY', 'Another delivery on this order is under way', BUSY_RETRY_MS)
        : null,
    enter(delivers) {
      underWay += 1;
      if (delivers !== null) delivering.add(delivers);
      return () => {
        underWay -= 1;
        if (delivers !== null) delivering.delete(delivers);
      };
    },
  };
}
