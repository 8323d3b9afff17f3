import { describe, expect, it } from 'vitest';
import { HOUR, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { useWorld } from './support/world.ts';

const LEASE = 15 * SECOND;

export function describePresence(create: CreateDatabase): void {
  describe('instances that say that they are here', () => {
    const world = useWorld(create);
    const beat = (token: string) => world().store.presence.beat(token, LEASE);

    it('are counted, each once however often it says so, and over all of a store', async () => {
      const other = (await world().another()).store.presence;
      expect(await beat('one')).toBe(1);
      expect(await beat('one')).toBe(1);
      expect(await other.beat('two', LEASE)).toBe(2);
      expect(await beat('one')).toBe(2);
    });

    it('are counted out when their lease is over', async () => {
      await beat('one');
      world().clock.pass(10 * SECOND);
      expect(await beat('two')).toBe(2);
      world().clock.pass(5 * SECOND);
      expect(await beat('two')).toBe(1);
    });

    it('that begin in the same moment are all counted in the end', async () => {
      const other = (await world().another()).store.presence;
      await Promise.all(
        Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? beat(`${at}`) : other.beat(`${at}`, LEASE))),
      );
      expect(await beat('0')).toBe(8);
    });

    it('are counted out at once when they leave, and nobody else with them', async () => {
      const other = (await world().another()).store.presence;
      await beat('one');
      await beat('two');
      await other.leave('one');
      await other.leave('unknown');
      expect(await beat('three')).toBe(2);
    });

    it('leave no trace behind a clock that was set back', async () => {
      await beat('one');
      world().clock.pass(-HOUR);
      expect(await beat('two')).toBe(1);
    });
  });
}
