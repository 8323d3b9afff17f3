import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Turns } from '../../src/ports/store/turns.ts';
import type { CreateDatabase } from './support/database.ts';
import { useWorld } from './support/world.ts';

const INTERVAL = 10 * SECOND;

export function describeTurns(create: CreateDatabase): void {
  describe('turns at work that one does for all', () => {
    const world = useWorld(create);
    const take = (turns: Turns = world().store.turns) => turns.take('sms-poller', INTERVAL, MINUTE);

    it('come once an interval, and the first at once', async () => {
      expect(await take()).toBe(0);
      world().clock.pass(4 * SECOND);
      expect(await take()).toBe(6 * SECOND);
      world().clock.pass(6 * SECOND);
      expect(await take()).toBe(0);
      expect(await take()).toBe(INTERVAL);
    });

    it('are had by one of all instances', async () => {
      const other = (await world().another()).store.turns;
      const asked = Array.from({ length: 10 }, (_, at) => take(at % 2 === 0 ? other : undefined));
      expect((await Promise.all(asked)).sort((a, b) => a - b)).toEqual([0, ...Array(9).fill(INTERVAL)]);
    });

    it('are put off for all', async () => {
      const other = (await world().another()).store.turns;
      await take();
      await world().store.turns.pause('sms-poller', 30 * SECOND);
      world().clock.pass(INTERVAL);
      expect(await take(other)).toBe(20 * SECOND);
      world().clock.pass(20 * SECOND);
      expect(await take(other)).toBe(0);
    });

    it('are held up no longer than a pause by a clock that was set back', async () => {
      await take();
      world().clock.pass(-HOUR);
      expect(await take()).toBe(0);
      expect(await take()).toBe(INTERVAL);
    });
  });
}
