import { describe, expect, it } from 'vitest';
import { emptyBudget } from '../../src/domain/budget/budget.ts';
import { rupiah } from '../../src/domain/money.ts';
import { alice, start } from '../support/values.ts';
import { createWorld } from './support/world.ts';

function bank(amount: number, alertBelow: number | null = null) {
  let reads = 0;
  const world = createWorld({
    numbers: {
      balance() {
        reads += 1;
        return Promise.resolve({
          kind: 'read',
          value: { currency: 'IDR', amount: rupiah(amount) },
          readAt: start,
        });
      },
    },
    settings: { balanceAlertBelow: alertBelow === null ? null : rupiah(alertBelow) },
  });
  return { ...world, reads: () => reads };
}

describe('balance', () => {
  it('is read upstream where it never was, and then as stored', async () => {
    const world = bank(100);
    const expected = { balance: { currency: 'IDR', amount: 100, asOf: '2026-09-02T06:40:00.000Z' } };
    for (let turn = 0; turn < 2; turn++) {
      expect((await world.ask('{ balance { currency amount asOf } }')).data).toEqual(expected);
    }
    expect(world.reads()).toBe(1);
  });

  it('is read upstream with refresh', async () => {
    const world = bank(100);
    world.rows.balances = [{ currency: 'IDR', amount: rupiah(7), asOf: start, sequence: 1 }];
    expect((await world.ask('{ balance { amount } }')).data).toEqual({ balance: { amount: 7 } });
    expect((await world.ask('{ balance(refresh: true) { amount } }')).data).toEqual({
      balance: { amount: 100 },
    });
  });

  it.each([
    [100, null, false],
    [100, 101, true],
    [100, 100, false],
    [-1, 0, true],
  ])('of %d is low below %s: %s', async (amount, alertBelow, low) => {
    expect((await bank(amount, alertBelow).ask('{ balance { low } }')).data).toEqual({ balance: { low } });
  });
});

describe('viewer', () => {
  it('tells the caller, its scopes and what is left of its budget', async () => {
    const world = createWorld();
    const books = { ...emptyBudget, limit: rupiah(10), spent: rupiah(8), reserved: rupiah(3) };
    world.rows.budgets.set(alice, books);
    const { data } = await world.ask(
      '{ viewer { caller scopes budget { limit spent reserved remaining } } }',
      {},
      { scopes: ['BUYER', 'OPERATOR'] },
    );
    expect(data).toEqual({
      viewer: {
        caller: 'alice',
        scopes: ['BUYER', 'OPERATOR'],
        budget: { limit: 10, spent: 8, reserved: 3, remaining: 0 },
      },
    });
  });
});
