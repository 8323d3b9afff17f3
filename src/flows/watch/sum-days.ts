import { HOUR, instant } from '../../domain/time.ts';
import type { StatisticsStore } from '../../ports/store/statistics.ts';
import type { Store } from '../../ports/store/store.ts';

interface DaysDeps {
  readonly store: Pick<Store, 'now'> & { readonly statistics: Pick<StatisticsStore, 'sumDay'> };
}

/** After midnight (UTC) orders of the evening still end, and their messages come: each would undo the sum. */
const SETTLED_AFTER = 2 * HOUR;

/** Sums up the statistics of all days that are over. */
export async function sumDays({ store }: DaysDeps, signal: AbortSignal): Promise<void> {
  const before = instant((await store.now()) - SETTLED_AFTER);
  for (let isMore = true; isMore && !signal.aborted; ) isMore = await store.statistics.sumDay(before);
}
