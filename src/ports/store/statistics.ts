import type { Visibility } from '../../domain/access.ts';
import type { OrderStatistics, StatisticsGroup } from '../../domain/orders/statistics.ts';
import type { Instant } from '../../domain/time.ts';

/** Counted as things happen, so that asking is cheap over a million orders. Survives the erasure of what was counted. */
export interface StatisticsStore {
  /** Of orders made since the instant, exactly. Groups without any order are left out; the largest first. */
  orders(scope: Visibility, since: Instant, groupBy: StatisticsGroup): Promise<readonly OrderStatistics[]>;
  /**
   * Sums up the latest day that is over by the instant and not summed up yet, so that asking need not read its hours. What
   * is counted in it afterwards undoes that. False: none is left, or none can be summed up now.
   */
  sumDay(before: Instant): Promise<boolean>;
}
