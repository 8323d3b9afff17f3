import { exactPercentiles, type Percentiles } from '../orders/statistics.ts';

const TEN_MINUTES_IN_SECONDS = 600;
const ONE_DAY_IN_SECONDS = 86_400;

export interface SupplierStatistics {
  readonly orders: number;
  readonly secondsToComplete: Percentiles | null;
  readonly withinTenMinutes: number | null;
  readonly overOneDay: number | null;
}

/** `claimed`: orders claimed in the time asked about; `seconds`: from claim to completed, of those completed. */
export function supplierStatistics(claimed: number, seconds: readonly number[]): SupplierStatistics {
  const share = (matches: (time: number) => boolean): number | null =>
    seconds.length === 0 ? null : seconds.filter(matches).length / seconds.length;
  return {
    orders: claimed,
    secondsToComplete: exactPercentiles(seconds),
    withinTenMinutes: share((time) => time <= TEN_MINUTES_IN_SECONDS),
    overOneDay: share((time) => time > ONE_DAY_IN_SECONDS),
  };
}
