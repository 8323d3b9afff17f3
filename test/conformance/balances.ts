import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { known, useWorld } from './support/world.ts';

export function describeBalances(create: CreateDatabase): void {
  describe('balances', () => {
    const world = useWorld(create);

    async function read(amount: number, currency = 'IDR') {
      world().clock.pass(SECOND);
      return world().store.balances.record({ currency, amount: rupiah(amount), asOf: world().now() });
    }

    it('has none before the first reading', async () => {
      expect(await world().store.balances.latest()).toBeNull();
      expect(await world().store.balances.after(0)).toEqual([]);
    });

    it('keeps a row for each change, with rising numbers', async () => {
      const { balances } = world().store;
      const first = await read(100);
      const second = await read(Number.MAX_SAFE_INTEGER);
      const third = await read(100);
      expect(third).toEqual({ currency: 'IDR', amount: 100, asOf: world().now(), sequence: third.sequence });
      expect(await balances.after(0)).toEqual([first, second, third]);
      expect(await balances.after(first.sequence)).toEqual([second, third]);
      expect(await balances.latest()).toEqual(third);
      expect(first.sequence).toBeLessThan(second.sequence);
    });

    it('moves the time on while it stays the same, and wakes nobody', async () => {
      const { wake } = world();
      const first = await read(100);
      expect(wake.take()).toEqual(['balance']);
      const again = await read(100);
      expect(again).toEqual({ ...first, asOf: world().now() });
      expect(await world().store.balances.after(0)).toEqual([again]);
      expect(wake.take()).toEqual([]);
    });

    it('takes another currency for a change', async () => {
      const first = await read(100);
      expect((await read(100, 'X\0')).sequence).toBeGreaterThan(first.sequence);
      expect(known(await world().store.balances.latest()).currency).toBe('X\0');
    });

    it('drops a reading older than the latest', async () => {
      const { store, wake } = world();
      const before = world().now();
      const latest = await read(100);
      wake.take();
      const stale = { currency: 'IDR', amount: rupiah(7), asOf: before };
      expect(await store.balances.record(stale)).toEqual(latest);
      expect(await store.balances.latest()).toEqual(latest);
      expect(wake.take()).toEqual([]);
    });
  });
}
