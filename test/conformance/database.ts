import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { alice, attemptId, bought, byAlice, draft, job, ofAlice, order, snapshot } from './support/values.ts';
import { useWorld } from './support/world.ts';

export function describeDatabase(create: CreateDatabase): void {
  describe('database', () => {
    const world = useWorld(create);

    it('keeps everything when it is closed and opened again', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21));
      const before = [
        await store.attempts.find(alice, job('job-a')),
        await store.orders.find(ofAlice, order(21)),
        await store.budgets.find(alice),
      ];
      await store.close();
      const again = (await world().another()).store;
      expect([
        await again.attempts.find(alice, job('job-a')),
        await again.orders.find(ofAlice, order(21)),
        await again.budgets.find(alice),
      ]).toEqual(before);
    });

    it('finishes what was asked for before it closes, and refuses what comes after', async () => {
      const { store } = world();
      const asked = store.attempts.prepare(draft('a'), 't', byAlice);
      await store.close();
      expect((await asked).kind).toBe('fresh');
      await expect(store.attempts.prepare(draft('b'), 't', byAlice)).rejects.toThrow();
      await store.close();
    });

    it('has one cursor secret for all instances, for good', async () => {
      const { store } = world();
      const secret = await store.cursorSecret();
      expect(secret.length).toBeGreaterThan(0);
      const other = (await world().another()).store;
      expect(await other.cursorSecret()).toBe(secret);
      await store.close();
      await other.close();
      expect(await (await world().another()).store.cursorSecret()).toBe(secret);
    });

    it('can tell that a write is possible', async () => {
      await expect(world().store.check()).resolves.toBeUndefined();
    });

    it('notices within a quarter of a second what another instance has written', async () => {
      const { clock, wake } = world();
      const { store: other, wake: otherWake } = await world().another();
      wake.take();
      await other.attempts.prepare(draft('a'), 't', byAlice);
      expect(wake.everybody() + otherWake.everybody()).toBe(0);
      // A store that is told what has changed wakes those who wait for it, and one that is not wakes everybody.
      const isWoken = (): boolean =>
        wake.take().includes(`attempt:${attemptId('attempt-a')}`) || wake.everybody() > 0;
      await eventually(() => {
        clock.pass(SECOND / 4);
        return isWoken();
      });
      expect(otherWake.everybody()).toBe(0);
      const settled = wake.everybody();
      clock.pass(SECOND / 4);
      expect(wake.everybody()).toBe(settled);
    });
  });
}

/** A store may hear of other instances over a socket: that takes real time. */
async function eventually(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 100; look++) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not come to pass');
}
