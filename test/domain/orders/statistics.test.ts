import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binOf,
  exactPercentiles,
  percentilesOf,
  successRate,
} from '../../../src/domain/orders/statistics.ts';

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('the success rate', () => {
  it.each([
    [{ received: 3, expired: 1, canceled: 0 }, 0.75],
    [{ received: 1, expired: 1, canceled: 2 }, 0.25],
    [{ received: 0, expired: 0, canceled: 4 }, 0],
    [{ received: 2, expired: 0, canceled: 0 }, 1],
    [{ received: 0, expired: 0, canceled: 0 }, null],
  ])('of %j is %d', (counts, rate) => {
    expect(successRate(counts)).toBe(rate);
  });
});

describe('exact percentiles', () => {
  it.each([
    [[], null],
    [[7], { p50: 7, p95: 7, max: 7 }],
    [[9, 1], { p50: 1, p95: 9, max: 9 }],
    [[10, 9, 2], { p50: 9, p95: 10, max: 10 }],
    [upTo(20).toReversed(), { p50: 10, p95: 19, max: 20 }],
    [upTo(21), { p50: 11, p95: 20, max: 21 }],
  ])('of %j', (seconds, percentiles) => {
    expect(exactPercentiles(seconds)).toEqual(percentiles);
  });

  it('leave their list as it is', () => {
    const seconds = [9, 1];
    exactPercentiles(seconds);
    expect(seconds).toEqual([9, 1]);
  });
});

describe('percentiles of a histogram', () => {
  function histogramOf(seconds: readonly number[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const time of seconds) counts.set(binOf(time), (counts.get(binOf(time)) ?? 0) + 1);
    return counts;
  }

  it('are none of an empty one', () => {
    expect(percentilesOf(new Map(), 0)).toBeNull();
    expect(percentilesOf(new Map([[3, 0]]), 0)).toBeNull();
  });

  it('are within two percent of the exact ones, and the longest is exact', () => {
    const times = fc.array(fc.double({ min: 0.06, max: 100_000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(times, (seconds) => {
        const exact = exactPercentiles(seconds);
        const told = percentilesOf(histogramOf(seconds), Math.max(...seconds));
        if (exact === null || told === null) expect.fail('there are times');
        expect(told.max).toBe(exact.max);
        for (const [near, right] of [
          [told.p50, exact.p50],
          [told.p95, exact.p95],
        ] as const) {
          expect(near / right).toBeGreaterThan(0.98);
          expect(near / right).toBeLessThan(1.02);
        }
      }),
    );
  });

  it('tell no time longer than the longest', () => {
    expect(percentilesOf(new Map([[500, 2]]), 10)).toEqual({ p50: 10, p95: 10, max: 10 });
  });

  it('have one bin for all that is next to nothing', () => {
    expect([0, 0.01, 0.05].map(binOf)).toEqual([0, 0, 0]);
    expect([0.0505, 0.052, 0.06].map(binOf)).toEqual([1, 2, 10]);
    expect(percentilesOf(histogramOf([0.01, 0.01]), 0.05)).toEqual({ p50: 0.025, p95: 0.025, max: 0.05 });
  });
});
