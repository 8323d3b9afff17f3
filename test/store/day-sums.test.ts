import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayBin, eachBin, firstWholeDay, packBins, spansBeside } from '../../src/store/day-sums.ts';

const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const histogram = fc
  .uniqueArray(
    fc.record({
      bin: fc.nat({ max: 2_000 }),
      count: fc.integer({ min: -1_000, max: 2 ** 40 }),
      longest: whole,
    }),
    { selector: ({ bin }) => bin },
  )
  .map((bins) => [...bins].sort((a, b) => a.bin - b.bin));

function unpacked(bytes: Uint8Array): DayBin[] {
  const bins: DayBin[] = [];
  eachBin(bytes, (bin, count, longest) => bins.push({ bin, count, longest }));
  return bins;
}

describe('sums of days', () => {
  it('keep a histogram as it was', () => {
    fc.assert(
      fc.property(histogram, (bins) => {
        expect(unpacked(packBins(bins))).toEqual(bins);
      }),
    );
  });

  it('take little room: some five bytes a bin for times of seconds', () => {
    expect(packBins([{ bin: 300, count: 5, longest: 25_000 }])).toHaveLength(6);
    expect(packBins([300, 301, 303].map((bin) => ({ bin, count: 1, longest: 16_000 })))).toHaveLength(13);
  });

  it('refuse a histogram that is cut short', () => {
    const bytes = packBins([{ bin: 300, count: 5, longest: 25_000 }]);
    for (let length = 1; length < bytes.length; length++) {
      expect(() => unpacked(bytes.subarray(0, length))).toThrow(RangeError);
    }
  });

  it('leave each hour to be read once: in a summed day or beside', () => {
    const days = fc
      .uniqueArray(fc.integer({ min: 0, max: 12 }))
      .map((known) => [...known].sort((a, b) => a - b));
    fc.assert(
      fc.property(fc.integer({ min: -30, max: 300 }), days, (hour, known) => {
        const summed = known.filter((day) => day >= firstWholeDay(hour));
        const spans = spansBeside(hour, summed);
        for (let at = -60; at < 400; at++) {
          const beside = spans.filter(({ from, to }) => at >= from && (to === null || at < to)).length;
          const inDay = summed.includes(Math.floor(at / 24)) ? 1 : 0;
          expect(beside + inDay, `hour ${at}`).toBe(at >= hour ? 1 : 0);
        }
      }),
    );
  });
});
