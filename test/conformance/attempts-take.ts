import { describe, expect, it } from 'vitest';
import { MOST_SENDS, SEND_LEASE } from '../../src/domain/orders/attempt.ts';
import { HOUR, later, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { alice, attemptId, byAlice, draft, job, prepared } from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeTaking(create: CreateDatabase): void {
  describe('attempts: taking for one more send', () => {
    const world = useWorld(create);
    const id = attemptId('attempt-a');
    const unclear = { kind: 'transport' } as const;

    async function states() {
      const events = await world().store.attempts.events(id, 0);
      return events.map(({ state, reason, sends }) => [state, reason, sends]);
    }

    it('takes one that is due, under a new token and version', async () => {
      const { store, clock, now } = world();
      await store.attempts.settle(await prepared(store, draft('a')), unclear);
      clock.pass(2 * SECOND);
      const taken = await store.attempts.take(id, 'second');
      expect(taken).toMatchObject({
        kind: 'claimed',
        claim: { attemptId: id, token: 'second', version: 4 },
        attempt: { state: 'SENDING', sends: 2, nextAttemptAt: null, leaseUntil: later(now(), SEND_LEASE) },
      });
      expect(taken.attempt).toEqual((await store.attempts.find(alice, job('job-a')))?.attempt);
    });

    it('leaves one alone that is not due, held, or final, and writes nothing', async () => {
      const { store, clock, wake } = world();
      const claim = await prepared(store, draft('a'));
      wake.take();
      clock.pass(SEND_LEASE - 1);
      expect((await store.attempts.take(id, 'second')).kind).toBe('not-sent');
      await store.attempts.settle(claim, unclear);
      wake.take();
      expect((await store.attempts.take(id, 'second')).kind).toBe('not-sent');
      clock.pass(2 * SECOND);
      const again = await store.attempts.take(id, 'second');
      if (again.kind !== 'claimed') throw new Error('the attempt was due');
      await store.attempts.settle(again.claim, { kind: 'made', orders: [], failedCount: 1 });
      wake.take();
      clock.pass(HOUR);
      expect((await store.attempts.take(id, 'third')).kind).toBe('not-sent');
      expect(await store.attempts.events(id, 5)).toEqual([]);
      expect(wake.take()).toEqual([]);
    });

    it('notes a lost sender before it sends again, with the same bytes and key', async () => {
      const { store, clock } = world();
      await prepared(store, draft('a'));
      clock.pass(SEND_LEASE);
      const { attempt } = await store.attempts.take(id, 'second');
      expect(await states()).toEqual([
        ['PREPARED', null, 0],
        ['SENDING', null, 1],
        ['NEEDS_RECONCILIATION', 'SENDER_LOST', 1],
        ['SENDING', null, 2],
      ]);
      expect((await store.attempts.events(id, 2))[0]).toMatchObject({
        at: clock.now(),
        nextAttemptAt: clock.now(),
      });
      const { body, idempotencyKey, endpoint } = draft('a');
      expect(attempt).toMatchObject({ body, idempotencyKey, endpoint, sends: 2 });
    });

    it('moves one past its deadline to a person, keeping what is reserved', async () => {
      const { store, clock } = world();
      const wish = draft('a', { reviewThresholdAt: later(world().now(), MINUTE) });
      await store.attempts.settle(await prepared(store, wish), unclear);
      clock.pass(MINUTE);
      const taken = await store.attempts.take(id, 'second');
      expect(taken).toMatchObject({
        kind: 'not-sent',
        attempt: {
          state: 'OPERATOR_REVIEW',
          sends: 1,
          leaseUntil: null,
          nextAttemptAt: null,
          reserved: 5_000,
        },
      });
      expect(await store.attempts.nextDueAt()).toBeNull();
      expect((await store.budgets.find(alice)).reserved).toBe(5_000);
    });

    it('notes a lost sender of one past its deadline too', async () => {
      const { store, clock } = world();
      await prepared(store, draft('a', { reviewThresholdAt: later(world().now(), SECOND) }));
      clock.pass(SEND_LEASE);
      await store.attempts.take(id, 'second');
      expect((await states()).slice(2)).toEqual([
        ['NEEDS_RECONCILIATION', 'SENDER_LOST', 1],
        ['OPERATOR_REVIEW', null, 1],
      ]);
    });

    it('never sends more often than allowed', async () => {
      const { store, clock, database } = world();
      await store.attempts.settle(await prepared(store, draft('a')), unclear);
      await database.query(`update attempts set sends = ${MOST_SENDS} where id = 'attempt-a'`);
      clock.pass(2 * SECOND);
      const { attempt } = await store.attempts.take(id, 'second');
      expect(attempt).toMatchObject({ state: 'OPERATOR_REVIEW', sends: MOST_SENDS });
      expect((await store.attempts.events(id, 3))[0]?.note).toContain('out of sends');
    });

    it('stays sane when the clock steps back', async () => {
      const { store, clock } = world();
      const claim = await prepared(store, draft('a'));
      clock.pass(-HOUR);
      expect((await store.attempts.take(id, 'second')).kind).toBe('not-sent');
      const { attempt } = await store.attempts.settle(claim, unclear);
      expect(attempt.nextAttemptAt).toBe(later(clock.now(), 2 * SECOND));
    });

    it('knows since when the oldest is open, whatever its state, and of none that is final', async () => {
      const { store, clock, now } = world();
      expect(await store.attempts.oldestOpenAt()).toBeNull();
      const began = now();
      const a = await prepared(store, draft('a'));
      clock.pass(SECOND);
      const b = await prepared(store, draft('b'));
      expect(await store.attempts.oldestOpenAt()).toBe(began);
      await store.attempts.settle(a, unclear);
      expect(await store.attempts.oldestOpenAt()).toBe(began);
      await store.attempts.settle(b, {
        kind: 'failure',
        httpStatus: 422,
        code: 'NO_OFFER_AVAILABLE',
        retryAfterSeconds: null,
      });
      expect(await store.attempts.oldestOpenAt()).toBe(began);
      clock.pass(2 * HOUR);
      await store.attempts.take(id, 'second');
      expect(await store.attempts.oldestOpenAt()).toBeNull();
    });

    it('lists what is due, oldest first: next attempts and lost senders', async () => {
      const { store, clock, now } = world();
      const a = await prepared(store, draft('a'));
      const b = await prepared(store, draft('b'));
      await prepared(store, draft('c'));
      expect(await store.attempts.due(10)).toEqual([]);
      expect(await store.attempts.nextDueAt()).toBe(later(now(), SEND_LEASE));
      await store.attempts.settle(b, unclear);
      clock.pass(SECOND);
      await store.attempts.settle(a, unclear);
      expect(await store.attempts.nextDueAt()).toBe(later(now(), SECOND));
      clock.pass(SECOND);
      expect(await store.attempts.due(10)).toEqual(['attempt-b']);
      clock.pass(SEND_LEASE);
      expect(await store.attempts.due(10)).toEqual(['attempt-b', 'attempt-a', 'attempt-c']);
      expect(await store.attempts.due(2)).toEqual(['attempt-b', 'attempt-a']);
    });

    it('lets exactly one of many askers have a due attempt, over two instances', async () => {
      const { store, clock } = world();
      const other = (await world().another()).store;
      await store.attempts.settle(await prepared(store, draft('a')), unclear);
      clock.pass(2 * SECOND);
      const askers = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).attempts.take(id, `asker-${index}`),
      );
      const taken = (await Promise.all(askers)).filter(({ kind }) => kind === 'claimed');
      expect(taken).toHaveLength(1);
      expect((await store.attempts.events(id, 0)).filter(({ state }) => state === 'SENDING')).toHaveLength(2);
    });

    it('prepares a job once, however many ask at once over two instances', async () => {
      const { store } = world();
      const other = (await world().another()).store;
      const askers = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).attempts.prepare(
          draft('a', { id: attemptId(`attempt-${index}`) }),
          `asker-${index}`,
          byAlice,
        ),
      );
      const results = await Promise.all(askers);
      expect(results.filter(({ kind }) => kind === 'fresh')).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'known')).toHaveLength(19);
      expect(await store.budgets.find(alice)).toMatchObject({ reserved: 5_000 });
    });

    it('fails for an attempt that is not there', async () => {
      await expect(world().store.attempts.take(attemptId('nobody'), 't')).rejects.toThrow(/nobody/);
    });

    it('names the row that cannot be read, and no value of it', async () => {
      const { store, database } = world();
      await prepared(store, draft('a'));
      await database.query(`update attempts set state = 'SECRET' where id = 'attempt-a'`);
      const error: unknown = await store.attempts
        .find(alice, job('job-a'))
        .catch((reason: unknown) => reason);
      const message = known(error instanceof Error ? error.message : null);
      expect(message).toContain('attempts');
      expect(message).toContain('attempt-a');
      expect(message).not.toContain('SECRET');
    });
  });
}
