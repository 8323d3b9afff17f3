import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { openScripted } from '../../support/gateway.ts';
import { moment } from '../../support/values.ts';

async function open(balance?: NumbersApi['balance']) {
  let amount = 100;
  const gateway = await openScripted({
    balance:
      balance ??
      (async () => ({
        kind: 'read',
        value: { currency: 'IDR', amount: rupiah(amount) },
        readAt: gateway.clock.now(),
      })),
  });
  return {
    ...gateway,
    now(next: number) {
      amount = next;
    },
  };
}

describe('the balance', () => {
  it('is read, kept and answered', async () => {
    const gateway = await open();
    expect(await gateway.deps.balance.read()).toEqual({
      kind: 'read',
      readAt: moment(0),
      value: { currency: 'IDR', amount: 100, asOf: moment(0), sequence: 1 },
    });
    expect(await gateway.store.balances.latest()).toMatchObject({ amount: 100 });
  });

  it('is read for many askers once', async () => {
    const gateway = await open();
    const reads = await Promise.all(Array.from({ length: 20 }, () => gateway.deps.balance.read()));
    expect(gateway.upstream.count('balance')).toBe(1);
    expect(new Set(reads).size).toBe(1);
  });

  it('that could not be read is told, and nothing is kept', async () => {
    const fault = { kind: 'unauthorized', httpStatus: 401 } as const;
    const gateway = await open(async () => fault);
    expect(await gateway.deps.balance.read()).toEqual(fault);
    expect(await gateway.store.balances.latest()).toBeNull();
  });

  it('is read once for all charges of a second', async () => {
    const gateway = await open();
    for (let charge = 0; charge < 5; charge++) {
      gateway.deps.balance.refreshSoon();
      await gateway.clock.pass(100);
    }
    expect(gateway.upstream.count('balance')).toBe(0);
    await gateway.clock.pass(500);
    expect(gateway.upstream.count('balance')).toBe(1);
    gateway.now(90);
    gateway.deps.balance.refreshSoon();
    await gateway.clock.pass(1_000);
    expect(gateway.upstream.count('balance')).toBe(2);
    expect(await gateway.store.balances.latest()).toMatchObject({ amount: 90, sequence: 2 });
  });

  it('that cannot be kept after a charge is a line in the log', async () => {
    const gateway = await openScripted(
      {
        balance: async () => ({
          kind: 'read',
          value: { currency: 'IDR', amount: rupiah(1) },
          readAt: moment(0),
        }),
      },
      {
        spoil: (store) => ({
          ...store,
          balances: { ...store.balances, record: () => Promise.reject(new Error('disk full')) },
        }),
      },
    );
    gateway.deps.balance.refreshSoon();
    await gateway.clock.pass(1_000);
    expect(gateway.lines).toMatchObject([{ level: 'error' }]);
    await expect(gateway.deps.balance.read()).rejects.toThrow('disk full');
  });
});
