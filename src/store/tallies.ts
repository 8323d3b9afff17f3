import { type OrderStatistics, percentilesOf, type StatisticsGroup } from '../domain/orders/statistics.ts';
import { type CountKey, type Counts, NOT_KNOWN } from './order-contribution.ts';

export const groupField = {
  PLATFORM: 'platformId',
  COUNTRY: 'countryId',
  OPERATOR: 'operatorId',
  PRODUCT: 'productId',
} as const satisfies Record<StatisticsGroup, keyof CountKey>;

interface Tally {
  counts: Counts;
  longest: number;
  readonly bins: Map<number, number>;
}

/** Adds up what stores counted, by one key. */
export interface Tallies {
  addCounts(key: number, counts: Counts): void;
  /** `longest` in milliseconds. */
  addTimes(key: number, bin: number, count: number, longest: number): void;
  /** The largest groups first; those without anything left out. */
  result(): readonly OrderStatistics[];
}

export function createTallies(): Tallies {
  const tallies = new Map<number, Tally>();
  const tallyOf = (key: number): Tally => {
    const known = tallies.get(key);
    if (known !== undefined) return known;
    const made = { counts: nothing, longest: 0, bins: new Map<number, number>() };
    tallies.set(key, made);
    return made;
  };
  return {
    addCounts(key, counts) {
      const tally = tallyOf(key);
      tally.counts = plus(tally.counts, counts);
    },
    addTimes(key, bin, count, longest) {
      // Given and taken away again: no time of any order is left in it.
      if (count === 0) return;
      const tally = tallyOf(key);
      tally.bins.set(bin, (tally.bins.get(bin) ?? 0) + count);
      tally.longest = Math.max(tally.longest, longest);
    },
    result: () =>
      [...tallies]
        .map(([key, { counts, bins, longest }]) => ({
          key: key === NOT_KNOWN ? null : key,
          ...counts,
          secondsToFirstSms: percentilesOf(bins, longest / 1000),
        }))
        .filter(({ orders, failed }) => orders > 0 || failed > 0)
        .sort((a, b) => b.orders - a.orders || (a.key ?? NOT_KNOWN) - (b.key ?? NOT_KNOWN)),
  };
}

const nothing: Counts = { orders: 0, received: 0, expired: 0, canceled: 0, failed: 0 };

function plus(a: Counts, b: Counts): Counts {
  return {
    orders: a.orders + b.orders,
    received: a.received + b.received,
    expired: a.expired + b.expired,
    canceled: a.canceled + b.canceled,
    failed: a.failed + b.failed,
  };
}
