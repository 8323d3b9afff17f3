/** What orders are counted by. PRODUCT: by what is ordered, the stable catalog id. */
export type StatisticsGroup = 'PLATFORM' | 'COUNTRY' | 'OPERATOR' | 'PRODUCT';

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface OrderStatistics {
  /** Null: of orders of which it is not known. */
  readonly key: number | null;
  readonly orders: number;
  /** Those with evidence of a message, whatever their status is now: after a resend one is ACTIVE again. */
  readonly received: number;
  readonly expired: number;
  readonly canceled: number;
  /** Asked for and not made. */
  readonly failed: number;
  /** Seconds from creation to the first message; null before any. */
  readonly secondsToFirstSms: Percentiles | null;
}

/** received / (received + expired + canceled); null where that is 0. */
export function successRate(
  counts: Pick<OrderStatistics, 'received' | 'expired' | 'canceled'>,
): number | null {
  const ended = counts.received + counts.expired + counts.canceled;
  return ended === 0 ? null : counts.received / ended;
}

/** Width of a histogram's bins: a value is told to within two percent. */
const GROWTH = 1.02;
/** Below this many seconds bins are this wide, and no narrower. */
const FINEST = 0.05;

/** The bin of a histogram that a time falls in: fine for the short, coarser for the long. */
export function binOf(seconds: number): number {
  if (seconds <= FINEST) return 0;
  return 1 + Math.floor(Math.log(seconds / FINEST) / Math.log(GROWTH));
}

/** The middle of a bin, in seconds. */
function secondsOf(bin: number): number {
  return bin === 0 ? FINEST / 2 : FINEST * GROWTH ** (bin - 0.5);
}

/** From a histogram: bins with their counts, and the longest time exactly. Null of an empty one. */
export function percentilesOf(counts: ReadonlyMap<number, number>, longest: number): Percentiles | null {
  const bins = [...counts].sort(([a], [b]) => a - b);
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const quantile = (share: number): number => {
    let left = Math.ceil(total * share);
    for (const [bin, count] of bins) {
      left -= count;
      if (left <= 0) return Math.min(secondsOf(bin), longest);
    }
    return longest;
  };
  return { p50: quantile(0.5), p95: quantile(0.95), max: longest };
}

/** Nearest-rank percentiles of exact times; null of none. */
export function exactPercentiles(seconds: readonly number[]): Percentiles | null {
  const sorted = [...seconds].sort((a, b) => a - b);
  const longest = sorted.at(-1);
  if (longest === undefined) return null;
  const quantile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? longest;
  return { p50: quantile(0.5), p95: quantile(0.95), max: longest };
}
