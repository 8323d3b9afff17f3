import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { byAlice } from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeAlerts(create: CreateDatabase): void {
  describe('alerts and notes', () => {
    const world = useWorld(create);
    const low = { kind: 'LOW_BALANCE', subject: '', message: 'the balance is 7 IDR' } as const;
    const review = (subject: string) =>
      ({ kind: 'ATTEMPT_IN_REVIEW', subject, message: `it waits: \0\ud800 \\u0000` }) as const;
    const subjects = async (limit = 9, leaseMs = MINUTE) =>
      (await world().store.alerts.takeUntold(limit, leaseMs)).map(({ subject }) => subject);

    it('raises one of a kind and subject, once until it is cleared', async () => {
      const { alerts } = world().store;
      world().wake.take();
      expect(await alerts.raise(low)).toBe(true);
      expect(world().wake.take()).toEqual(['alerts']);
      expect(await alerts.raise({ ...low, message: 'lower still' })).toBe(false);
      expect(world().wake.take()).toEqual([]);
      expect(await alerts.raise(review('a'))).toBe(true);
      expect(await alerts.raise(review('b'))).toBe(true);
      expect(await alerts.clear('LOW_BALANCE', '')).toBe(true);
      expect(await alerts.clear('LOW_BALANCE', '')).toBe(false);
      expect(await alerts.clear('WEBHOOK_DISABLED', '')).toBe(false);
      expect(await alerts.raise(low)).toBe(true);
    });

    it('gives an alert back as it was raised', async () => {
      const { store, now } = world();
      const raisedAt = now();
      await store.alerts.raise(review('attempt-a'));
      world().clock.pass(SECOND);
      expect(await store.alerts.takeUntold(9, MINUTE)).toEqual([
        { ...review('attempt-a'), id: expect.any(String), raisedAt, tries: 0 },
      ]);
    });

    it('lets one teller have an alert for its lease, and counts its tries', async () => {
      const { store, clock } = world();
      await store.alerts.raise(low);
      const first = known((await store.alerts.takeUntold(9, MINUTE))[0]);
      clock.pass(MINUTE - 1);
      expect(await subjects()).toEqual([]);
      clock.pass(1);
      const second = known((await store.alerts.takeUntold(9, MINUTE))[0]);
      expect(second).toEqual({ ...first, tries: 1 });
    });

    it('tells an alert later, where it was not taken, and never again once told', async () => {
      const { store, clock } = world();
      await store.alerts.raise(low);
      const { id } = known((await store.alerts.takeUntold(9, MINUTE))[0]);
      await store.alerts.tellLater(id, 5 * SECOND);
      clock.pass(5 * SECOND - 1);
      expect(await subjects()).toEqual([]);
      clock.pass(1);
      expect(await subjects()).toEqual(['']);
      await store.alerts.told(id);
      clock.pass(MINUTE);
      expect(await subjects()).toEqual([]);
      // Told is not over: it is not raised twice.
      expect(await store.alerts.raise(low)).toBe(false);
    });

    it('tells one that is over meanwhile all the same', async () => {
      const { store } = world();
      await store.alerts.raise(low);
      await store.alerts.clear('LOW_BALANCE', '');
      expect(await subjects()).toEqual(['']);
    });

    it('takes no more than asked for, the longest due first', async () => {
      const { store, clock } = world();
      for (const subject of ['a', 'b', 'c']) {
        await store.alerts.raise(review(subject));
        clock.pass(SECOND);
      }
      expect(await subjects(2)).toEqual(['a', 'b']);
      expect(await subjects(2)).toEqual(['c']);
    });

    it('is taken by one of several instances', async () => {
      const { store } = world();
      const other = (await world().another()).store;
      for (let index = 0; index < 20; index++) await store.alerts.raise(review(`attempt-${index}`));
      const takings = [store, other, store, other].map(({ alerts }) => alerts.takeUntold(7, MINUTE));
      const taken = (await Promise.all(takings)).flat().map(({ id }) => id);
      expect(new Set(taken).size).toBe(taken.length);
    });

    it('is raised by one of several instances', async () => {
      const other = (await world().another()).store;
      const raised = await Promise.all(
        [world().store, other, world().store, other].map(({ alerts }) => alerts.raise(low)),
      );
      expect(raised.filter((isNew) => isNew)).toHaveLength(1);
    });

    it('keeps a note by its name, the last one written', async () => {
      const { notebook } = world().store;
      expect(await notebook.read('webhook-url')).toBeNull();
      await notebook.write('webhook-url', 'https://a.example/', byAlice);
      await notebook.write('webhook-url', 'https://b.example/\\u0041', byAlice);
      expect(await notebook.read('webhook-url')).toBe('https://b.example/\\u0041');
    });
  });
}
