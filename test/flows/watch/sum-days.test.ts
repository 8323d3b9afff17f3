import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, instant, later } from '../../../src/domain/time.ts';
import { sumDays } from '../../../src/flows/watch/sum-days.ts';

const now = instant(40 * DAY + HOUR);

/** A store in which so many days are left. */
function storeOf(days: number, onSum: () => void = () => undefined) {
  const asked: Instant[] = [];
  return {
    asked,
    deps: {
      store: {
        now: async () => now,
        statistics: {
          async sumDay(before: Instant) {
            asked.push(before);
            onSum();
            return asked.length <= days;
          },
        },
      },
    },
  };
}

describe('summing up days', () => {
  it('goes on until none is left, and leaves the day that has just ended alone for two hours', async () => {
    const { deps, asked } = storeOf(3);
    await sumDays(deps, new AbortController().signal);
    expect(asked).toEqual(Array.from({ length: 4 }, () => later(now, -2 * HOUR)));
  });

  it('stops between two days when it is told to', async () => {
    const stopping = new AbortController();
    const { deps, asked } = storeOf(9, () => stopping.abort());
    await sumDays(deps, stopping.signal);
    expect(asked).toHaveLength(1);
  });
});
