import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAgenda } from '../../../src/sandbox/kernel/agenda.ts';
import { instant, systemClock } from '../../../src/sandbox/kernel/clock.ts';
import { randomFrom } from '../../../src/sandbox/kernel/random.ts';
import { createFakeClock } from '../support/fake-clock.ts';

describe('the system clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits longer than a timer of Node can', () => {
    const run = vi.fn();
    const month = 30 * 24 * 3600 * 1000;
    systemClock.after(month, run);
    vi.advanceTimersByTime(month - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it('forgets a cancelled timer, also in a later stretch', () => {
    const run = vi.fn();
    const timer = systemClock.after(2 ** 32, run);
    vi.advanceTimersByTime(2 ** 31);
    timer.cancel();
    vi.advanceTimersByTime(2 ** 33);
    expect(run).not.toHaveBeenCalled();
  });
});

it('writes instants as toISOString does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
      expect(instant(ms)).toBe(new Date(ms).toISOString());
    }),
  );
});

describe('the agenda', () => {
  it('runs what is due in the order of time, each with its own moment', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 50 }), (delays) => {
        const clock = createFakeClock(0);
        const agenda = createAgenda(clock, () => {});
        const ran: { due: number; order: number }[] = [];
        for (const [order, delay] of delays.entries()) agenda.at(delay, (due) => ran.push({ due, order }));
        clock.passNow(500);
        expect(ran).toHaveLength(delays.filter((delay) => delay <= 500).length);
        clock.passNow(500);
        const expected = delays
          .map((due, order) => ({ due, order }))
          .toSorted((one, other) => one.due - other.due || one.order - other.order);
        expect(ran).toEqual(expected);
      }),
    );
  });

  it('runs what a run plans for a time already past, and nothing that was cancelled', () => {
    const clock = createFakeClock(0);
    const settled = vi.fn();
    const agenda = createAgenda(clock, settled);
    const ran: string[] = [];
    agenda.at(10, (due) => {
      ran.push('first');
      agenda.at(due + 5, () => ran.push('second'));
    });
    agenda.at(12, () => ran.push('cancelled')).cancel();
    clock.passNow(9);
    agenda.runDue();
    expect(ran).toEqual([]);
    clock.passNow(100);
    expect(ran).toEqual(['first', 'second']);
    expect(settled).toHaveBeenCalledTimes(2);
    agenda.at(200, () => ran.push('stopped'));
    agenda.stop();
    clock.passNow(1000);
    expect(ran).toHaveLength(2);
  });
});

describe('a random stream', () => {
  it('is told by its seed and path alone', () => {
    const some = (seed: number, path: string) =>
      Array.from({ length: 5 }, () => randomFrom(seed, path).fraction());
    expect(some(1, 'a')).toEqual(some(1, 'a'));
    expect(some(1, 'a')).not.toEqual(some(2, 'a'));
    expect(some(1, 'a')).not.toEqual(some(1, 'b'));
  });

  it('is spread evenly, also over the first values of neighbouring paths', () => {
    const counts = new Array<number>(10).fill(0);
    for (let at = 0; at < 10_000; at++) {
      const value = randomFrom(1, 'order', at).integer(0, 9);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(850);
  });
});
