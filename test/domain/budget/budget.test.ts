import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type BudgetEntry,
  book,
  emptyBudget,
  hasRoomFor,
  remaining,
} from '../../../src/domain/budget/budget.ts';
import { rupiah } from '../../../src/domain/money.ts';

function budget(limit: number | null, spent = 0, reserved = 0): Budget {
  return { limit: limit === null ? null : rupiah(limit), spent: rupiah(spent), reserved: rupiah(reserved) };
}

describe('room in a budget', () => {
  it.each([
    ['all of it', budget(100), 100, true],
    ['one rupiah more', budget(100), 101, false],
    ['beside what is spent', budget(100, 60), 40, true],
    ['beside what is held', budget(100, 0, 60), 41, false],
    ['beside both', budget(100, 30, 30), 40, true],
    ['one more beside both', budget(100, 30, 30), 41, false],
    ['nothing, in a full one', budget(100, 100), 0, true],
    ['nothing, in an overdrawn one', budget(100, 101), 0, false],
    ['something, with a limit of nothing', budget(0), 1, false],
    ['anything, without a limit', budget(null, 10 ** 12, 10 ** 12), 10 ** 12, true],
    ['more than can be counted, without a limit', budget(null, 1), Number.MAX_SAFE_INTEGER, false],
  ])('%s', (_, before, amount, expected) => {
    expect(hasRoomFor(before, rupiah(amount))).toBe(expected);
  });
});

describe('the books', () => {
  it.each<[BudgetEntry['kind'], Budget]>([
    ['RESERVED', budget(100, 20, 37)],
    ['FREED', budget(100, 20, 23)],
    ['SPENT', budget(100, 27, 30)],
    ['REFUNDED', budget(100, 13, 30)],
  ])('%s', (kind, after) => {
    expect(book(budget(100, 20, 30), { kind, amount: rupiah(7) })).toEqual(after);
  });

  it('show what is left, and never less than nothing', () => {
    expect(remaining({ ...budget(100, 30, 20), limit: rupiah(100) })).toBe(50);
    expect(remaining({ ...budget(100, 90, 20), limit: rupiah(100) })).toBe(0);
  });

  it('never go over the limit while each charge stays within its reserve', () => {
    const attempt = fc.record({
      reserve: fc.integer({ min: 1, max: 60 }),
      charged: fc.integer({ min: 0, max: 60 }),
      comesBack: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.array(attempt), (limit, attempts) => {
        let now: Budget = { ...emptyBudget, limit: rupiah(limit) };
        const entries: BudgetEntry[] = [];
        const add = (kind: BudgetEntry['kind'], amount: number): void => {
          const entry = { kind, amount: rupiah(amount) };
          entries.push(entry);
          now = book(now, entry);
          expect(now.spent + now.reserved).toBeLessThanOrEqual(limit);
        };
        for (const { reserve, charged, comesBack } of attempts) {
          if (!hasRoomFor(now, rupiah(reserve))) continue;
          const cost = Math.min(charged, reserve);
          add('RESERVED', reserve);
          add('FREED', reserve);
          add('SPENT', cost);
          if (comesBack) add('REFUNDED', cost);
        }
        expect(now.reserved).toBe(0);
        expect(entries.reduce(book, { ...emptyBudget, limit: rupiah(limit) })).toEqual(now);
      }),
    );
  });
});
