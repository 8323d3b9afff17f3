import { describe, expect, it } from 'vitest';
import { HOUR, SECOND } from '../../src/domain/time.ts';
import type { SupplierSlots } from '../../src/ports/store/supplier.ts';
import type { CreateDatabase } from './support/database.ts';
import { useWorld } from './support/world.ts';

const SPACING = 220;
const LEASE = 20 * SECOND;

export function describeSupplierSlots(create: CreateDatabase): void {
  describe('places at the supplier', () => {
    const world = useWorld(create);
    const take = (token: string, isUpdate = false, slots: SupplierSlots = world().store.supplierSlots) =>
      slots.take(token, { places: 2, isUpdate, spacingMs: SPACING, leaseMs: LEASE });
    const giveBack = (token: string) => world().store.supplierSlots.giveBack(token);

    it('are as many as there may be calls at once', async () => {
      expect(await take('a')).toEqual({ kind: 'granted' });
      expect(await take('b')).toEqual({ kind: 'granted' });
      expect((await take('c')).kind).toBe('wait');
      await giveBack('a');
      expect(await take('c')).toEqual({ kind: 'granted' });
      await giveBack('nobody');
      expect((await take('d')).kind).toBe('wait');
    });

    it('are free again when their holder died', async () => {
      await take('a');
      await take('b');
      world().clock.pass(LEASE - 1);
      expect((await take('c')).kind).toBe('wait');
      world().clock.pass(1);
      expect(await take('c')).toEqual({ kind: 'granted' });
    });

    it('are given to updates so far apart, and to other calls at once', async () => {
      const { clock } = world();
      expect(await take('a', true)).toEqual({ kind: 'granted' });
      await giveBack('a');
      clock.pass(100);
      expect(await take('b', true)).toEqual({ kind: 'wait', milliseconds: SPACING - 100 });
      expect(await take('c')).toEqual({ kind: 'granted' });
      clock.pass(SPACING - 100);
      expect(await take('b', true)).toEqual({ kind: 'granted' });
    });

    it('are held up no longer by a clock that was set back', async () => {
      await take('a', true);
      await giveBack('a');
      world().clock.pass(-HOUR);
      expect(await take('b', true)).toEqual({ kind: 'granted' });
    });

    it('are shared by all instances', async () => {
      const other = (await world().another()).store.supplierSlots;
      const asked = Array.from({ length: 12 }, (_, index) =>
        take(`t-${index}`, false, index % 2 === 0 ? world().store.supplierSlots : other),
      );
      expect((await Promise.all(asked)).filter(({ kind }) => kind === 'granted')).toHaveLength(2);
    });

    it('go to one update at a time, of all instances', async () => {
      const other = (await world().another()).store.supplierSlots;
      const asked = [world().store.supplierSlots, other].map((slots, index) =>
        take(`u-${index}`, true, slots),
      );
      expect((await Promise.all(asked)).map(({ kind }) => kind).sort()).toEqual(['granted', 'wait']);
    });
  });
}
