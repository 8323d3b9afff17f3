import type { Visibility } from '../../domain/access.ts';
import type { OrderStatistics, StatisticsGroup } from '../../domain/orders/statistics.ts';
import type { Instant } from '../../domain/time.ts';

/** Counted as things happen, so that asking is cheap over a million orders. Survives the erasure of what was counted. */
export interface StatisticsStore {
  /** Of orders made since the instant, exactly. Groups without any order are left out; the largest first. */
  orders(scope: Visibility, since: Instant, groupBy: StatisticsGroup): Promise<readonly OrderStatistics[]>;
}
