import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { LONGEST_REPLAY, SEND_LEASE } from '../../src/domain/orders/attempt.ts';
import { HOUR, instant, later, MINUTE } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  attemptId,
  bob,
  byAlice,
  draft,
  job,
  limit,
  ofAlice,
  ofAll,
  ofBob,
  prepared,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describePreparing(create: CreateDatabase): void {
  describe('attempts: preparing', () => {
    const world = useWorld(create);

    it('stores a fresh attempt with everything it is bound to, claimed for its first send', async () => {
      const { store, now } = world();
      const wish = draft('a', { reviewThresholdAt: later(now(), 10 * MINUTE) });
      const result = await store.attempts.prepare(wish, 'token-a', byAlice);
      const { reserve, ...bound } = wish;
      const attempt = {
        ...bound,
        state: 'SENDING',
        reason: null,
        rejection: null,
        failedCount: 0,
        sends: 1,
        version: 2,
        startedAt: now(),
        replayDeadlineAt: later(now(), 10 * MINUTE),
        nextAttemptAt: null,
        leaseUntil: later(now(), SEND_LEASE),
        reserved: reserve,
      };
      const claim = { attemptId: wish.id, token: 'token-a', version: 2 };
      expect(result).toEqual({ kind: 'fresh', attempt, claim });
      expect(await store.attempts.find(alice, wish.businessJobId)).toEqual({ attempt, orders: [] });
    });

    it('writes down that it was prepared and is being sent', async () => {
      const { store, now } = world();
      await prepared(store, draft('a'));
      const common = { reason: null, httpStatus: null, errorCode: null, note: null, nextAttemptAt: null };
      expect(await store.attempts.events(attemptId('attempt-a'), 0)).toEqual([
        { ...common, version: 1, state: 'PREPARED', sends: 0, at: now() },
        { ...common, version: 2, state: 'SENDING', sends: 1, at: now() },
      ]);
      expect(await store.attempts.events(attemptId('attempt-a'), 1)).toHaveLength(1);
    });

    it('keeps routing, bounds and a reactivation as they were asked for', async () => {
      const { store } = world();
      const routing = {
        operatorId: null,
        minPrice: rupiah(7),
        policy: 'CHEAPEST',
        preferProvider: 'x\0\ud800',
      } as const;
      const create = known(draft('a').request.kind === 'CREATE' ? draft('a').request : null);
      const asked = { ...create, maxUnitPrice: rupiah(Number.MAX_SAFE_INTEGER), routing };
      await prepared(store, draft('a', { request: asked }));
      expect((await store.attempts.find(alice, job('job-a')))?.attempt.request).toEqual(asked);
    });

    it('takes an hour for its review threshold where none is given', async () => {
      const { store, now } = world();
      await prepared(store, draft('a'));
      const attempt = (await store.attempts.find(alice, job('job-a')))?.attempt;
      expect(attempt?.reviewThresholdAt).toBe(later(now(), LONGEST_REPLAY));
      expect(attempt?.replayDeadlineAt).toBe(later(now(), LONGEST_REPLAY));
    });

    it('replays for no longer than an hour, whatever the threshold', async () => {
      const { store, now } = world();
      await prepared(store, draft('a', { reviewThresholdAt: later(now(), 30 * HOUR) }));
      const attempt = (await store.attempts.find(alice, job('job-a')))?.attempt;
      expect(attempt?.reviewThresholdAt).toBe(later(now(), 30 * HOUR));
      expect(attempt?.replayDeadlineAt).toBe(later(now(), HOUR));
    });

    it.each([0, -1, -HOUR])('holds one whose threshold is %d ms away for a person, unsent', async (away) => {
      const { store, now } = world();
      const wish = draft('a', { reviewThresholdAt: instant(now() + away) });
      const result = await store.attempts.prepare(wish, 'token-a', byAlice);
      expect(result).toMatchObject({
        kind: 'fresh',
        claim: null,
        attempt: { state: 'OPERATOR_REVIEW', sends: 0, version: 2, leaseUntil: null, reserved: 5_000 },
      });
      const events = await store.attempts.events(wish.id, 0);
      expect(events.map(({ state }) => state)).toEqual(['PREPARED', 'OPERATOR_REVIEW']);
      expect(await store.attempts.nextDueAt()).toBeNull();
      expect((await store.attempts.take(wish.id, 'other')).kind).toBe('not-sent');
    });

    it('answers a job that is known with its attempt, and changes nothing', async () => {
      const { store, clock, wake } = world();
      await prepared(store, draft('a'));
      const before = await store.attempts.find(alice, job('job-a'));
      const budget = await store.budgets.find(alice);
      wake.take();
      clock.pass(1_000);
      const again = draft('other', { businessJobId: job('job-a'), reserve: rupiah(9), quantity: 3 });
      expect(await store.attempts.prepare(again, 'token-b', byAlice)).toEqual({
        kind: 'known',
        attempt: before?.attempt,
      });
      expect(await store.attempts.find(alice, job('job-a'))).toEqual(before);
      expect(await store.budgets.find(alice)).toEqual(budget);
      expect(wake.take()).toEqual([]);
    });

    it('lets two callers have a job of the same name', async () => {
      const { store } = world();
      await prepared(store, draft('a'));
      await prepared(store, draft('b', { caller: bob, businessJobId: job('job-a') }));
      expect((await store.attempts.find(bob, job('job-a')))?.attempt.id).toBe('attempt-b');
    });

    it.each([alice, bob])('refuses an idempotency key that another attempt has: %s', async (caller) => {
      const { store } = world();
      await prepared(store, draft('a'));
      const wish = draft('b', { caller, idempotencyKey: draft('a').idempotencyKey });
      expect(await store.attempts.prepare(wish, 'token-b', byAlice)).toEqual({ kind: 'key-taken' });
      expect(await store.attempts.find(caller, wish.businessJobId)).toBeNull();
    });

    it('judges the job first, then the key, then the budget', async () => {
      const { store } = world();
      await limit(store, alice, rupiah(5_000));
      await prepared(store, draft('a'));
      const { idempotencyKey } = draft('a');
      const tooDear = { reserve: rupiah(1), idempotencyKey };
      const kindOf = async (wish: ReturnType<typeof draft>) =>
        (await store.attempts.prepare(wish, 't', byAlice)).kind;
      expect(await kindOf(draft('b', { ...tooDear, businessJobId: job('job-a') }))).toBe('known');
      expect(await kindOf(draft('b', tooDear))).toBe('key-taken');
      expect(await kindOf(draft('b', { reserve: rupiah(1) }))).toBe('over-budget');
    });

    it('admits up to the limit and not a rupiah more, and stores nothing then', async () => {
      const { store, wake } = world();
      await limit(store, alice, rupiah(12_000));
      await prepared(store, draft('a'));
      wake.take();
      const budget = { limit: 12_000, spent: 0, reserved: 5_000 };
      expect(await store.attempts.prepare(draft('b', { reserve: rupiah(7_001) }), 't', byAlice)).toEqual({
        kind: 'over-budget',
        budget,
      });
      expect(await store.attempts.find(alice, job('job-b'))).toBeNull();
      expect(await store.budgets.find(alice)).toEqual(budget);
      expect(wake.take()).toEqual([]);
      await prepared(store, draft('b', { reserve: rupiah(7_000) }));
      expect(await store.budgets.find(alice)).toEqual({ ...budget, reserved: 12_000 });
    });

    it('announces the attempt and that one falls due', async () => {
      const { store, wake } = world();
      await prepared(store, draft('a'));
      expect(wake.take()).toEqual(['attempt:attempt-a', 'attempts-due']);
    });

    it('shows attempts by id to their caller and to operators', async () => {
      const { store } = world();
      await prepared(store, draft('a'));
      await prepared(store, draft('b', { caller: bob }));
      const ids = [attemptId('attempt-a'), attemptId('attempt-b'), attemptId('attempt-c')];
      const seenBy = async (scope: typeof ofAlice | typeof ofBob | typeof ofAll) =>
        (await store.attempts.byIds(scope, ids)).map(({ id }) => id).sort();
      expect(await seenBy(ofAlice)).toEqual(['attempt-a']);
      expect(await seenBy(ofBob)).toEqual(['attempt-b']);
      expect(await seenBy(ofAll)).toEqual(['attempt-a', 'attempt-b']);
      expect(await store.attempts.byIds(ofAll, [])).toEqual([]);
    });
  });
}
