import { type OrderStatistics, percentilesOf, type StatisticsGroup } from '../domain/orders/statistics.ts';
import { eachBin } from './day-sums.ts';
import { type CountKey, type Counts, NOT_KNOWN } from './order-contribution.ts';

export const groupField = {
  PLATFORM: 'platformId',
  COUNTRY: 'countryId',
  OPERATOR: 'operatorId',
  PRODUCT: 'productId',
} as const satisfies Record<StatisticsGroup, keyof CountKey>;

interface Tally {
  counts: Counts;
  /** By bin: how many, and the longest in milliseconds. */
  readonly bins: number[];
  readonly longest: number[];
}

/** Adds up what stores counted, by one key. */
export interface Tallies {
  addCounts(key: number, counts: Counts): void;
  /** `longest` in milliseconds. */
  addTimes(key: number, bin: number, count: number, longest: number): void;
  /** A day's histogram, as `packBins` made it. */
  addDay(key: number, times: Uint8Array): void;
  /** The largest groups first; those without anything left out. */
  result(): readonly OrderStatistics[];
}

export function createTallies(): Tallies {
  const tallies = new Map<number, Tally>();
  const tallyOf = (key: number): Tally => {
    const known = tallies.get(key);
    if (known !== undefined) return known;
    const made = { counts: nothing, bins: [], longest: [] };
    tallies.set(key, made);
    return made;
  };
  return {
    addCounts(key, counts) {
      const tally = tallyOf(key);
      tally.counts = plus(tally.counts, counts);
    },
    addTimes(key, bin, count, longest) {
      addTo(tallyOf(key), bin, count, longest);
    },
    addDay(key, times) {
      const tally = tallyOf(key);
      eachBin(times, (bin, count, longest) => addTo(tally, bin, count, longest));
    },
    result: () =>
      [...tallies]
        .map(([key, { counts, bins, longest }]) => ({
          key: key === NOT_KNOWN ? null : key,
          ...counts,
          secondsToFirstSms: percentilesIn(bins, longest),
        }))
        .filter(({ orders, failed }) => orders > 0 || failed > 0)
        .sort((a, b) => b.orders - a.orders || (a.key ?? NOT_KNOWN) - (b.key ?? NOT_KNOWN)),
  };
}

function addTo({ bins, longest }: Tally, bin: number, count: number, milliseconds: number): void {
  // Without holes, which would make each access a look-up.
  while (bins.length <= bin) {
    bins.push(0);
    longest.push(0);
  }
  bins[bin] = (bins[bin] ?? 0) + count;
  if (milliseconds > (longest[bin] ?? 0)) longest[bin] = milliseconds;
}

function percentilesIn(bins: readonly number[], longest: readonly number[]) {
  // Given and taken away again: no time of any order is left in it.
  const filled = [...bins.entries()].filter(([, count]) => count !== 0);
  const longestOfAll = Math.max(0, ...filled.map(([bin]) => longest[bin] ?? 0));
  return percentilesOf(new Map(filled), longestOfAll / 1000);
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
