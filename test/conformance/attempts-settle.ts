import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { SEND_LEASE } from '../../src/domain/orders/attempt.ts';
import type { PaidReply } from '../../src/domain/orders/reply.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  attemptId,
  bob,
  bought,
  draft,
  job,
  made,
  ofAlice,
  ofAll,
  order,
  prepared,
  reactivation,
  receive,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

const retryAfterSeconds = null;

export function describeSettling(create: CreateDatabase): void {
  describe('attempts: settling', () => {
    const world = useWorld(create);
    const id = attemptId('attempt-a');

    it.each<[string, PaidReply, object, object]>([
      ['no answer', { kind: 'transport' }, { reason: 'TRANSPORT' }, { httpStatus: null, errorCode: null }],
      [
        'a 502',
        { kind: 'http-5xx', httpStatus: 502, retryAfterSeconds },
        { reason: 'HTTP_5XX' },
        { httpStatus: 502 },
      ],
      [
        'no JSON',
        { kind: 'malformed', httpStatus: 200, retryAfterSeconds },
        { reason: 'MALFORMED_RESPONSE' },
        { httpStatus: 200 },
      ],
      [
        'a contradiction',
        { kind: 'contradictory', httpStatus: 201, retryAfterSeconds },
        { reason: 'CONTRADICTORY_RESPONSE' },
        { httpStatus: 201 },
      ],
      [
        'a broken success',
        { kind: 'malformed-success', httpStatus: 200 },
        { reason: 'MALFORMED_SUCCESS' },
        { httpStatus: 200 },
      ],
      [
        'an unknown failure',
        { kind: 'failure', httpStatus: 429, code: 'A\0\ud800', retryAfterSeconds: 90 },
        { reason: 'UNKNOWN_RESPONSE', nextAttemptAt: expect.any(Number) },
        { httpStatus: 429, errorCode: 'A\0\ud800' },
      ],
      [
        'a request in progress',
        { kind: 'failure', httpStatus: 409, code: 'REQUEST_IN_PROGRESS', retryAfterSeconds },
        { reason: 'REQUEST_IN_PROGRESS' },
        { httpStatus: 409, errorCode: 'REQUEST_IN_PROGRESS' },
      ],
    ])('keeps the reserve and tries again after %s', async (_, reply, attempt, event) => {
      const { store } = world();
      const settled = await store.attempts.settle(await prepared(store, draft('a')), reply);
      const unclear = { state: 'NEEDS_RECONCILIATION', leaseUntil: null, reserved: 5_000, version: 3 };
      expect(settled).toMatchObject({ kind: 'settled', orders: [], attempt: { ...unclear, ...attempt } });
      expect(settled.attempt).toEqual((await store.attempts.find(alice, job('job-a')))?.attempt);
      const [last] = await store.attempts.events(id, 2);
      const { state, reason, sends, nextAttemptAt } = settled.attempt;
      expect(last).toMatchObject({ state, reason, sends, nextAttemptAt, version: 3, ...event });
      expect(await store.attempts.nextDueAt()).toBe(nextAttemptAt);
      expect(await store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 5_000 });
    });

    it.each<[string, PaidReply, object]>([
      [
        'refused for good',
        { kind: 'failure', httpStatus: 422, code: 'NO_OFFER_AVAILABLE', retryAfterSeconds },
        { state: 'DEFINITIVE_REJECTION', rejection: { code: 'NO_OFFER_AVAILABLE', httpStatus: 422 } },
      ],
      [
        'refused for want of money',
        { kind: 'failure', httpStatus: 409, code: 'INSUFFICIENT_BALANCE', retryAfterSeconds },
        { state: 'INSUFFICIENT_BALANCE', rejection: null },
      ],
      [
        'answered with none made',
        { kind: 'made', orders: [], failedCount: 1 },
        { state: 'RESOLVED', failedCount: 1 },
      ],
    ])('is final and frees the reserve when %s', async (_, reply, attempt) => {
      const { store } = world();
      const settled = await store.attempts.settle(await prepared(store, draft('a')), reply);
      expect(settled.attempt).toMatchObject({
        ...attempt,
        reserved: 0,
        leaseUntil: null,
        nextAttemptAt: null,
      });
      expect(settled.attempt).toEqual((await store.attempts.find(alice, job('job-a')))?.attempt);
      expect(await store.attempts.nextDueAt()).toBeNull();
      expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 0, reserved: 0 });
    });

    it('adopts the orders made, books what each cost, and wakes who waits', async () => {
      const { store, wake, now } = world();
      const sentAt = now();
      const claim = await prepared(store, draft('a', { quantity: 3, reserve: rupiah(15_000) }));
      wake.take();
      world().clock.pass(SECOND);
      const reply: PaidReply = {
        kind: 'made',
        orders: [snapshot(22), snapshot(21, { amount: rupiah(4_500) })],
        failedCount: 1,
      };
      const settled = await store.attempts.settle(claim, reply);
      if (settled.kind !== 'settled') throw new Error('the claim was held');
      expect(settled.attempt).toMatchObject({ state: 'RESOLVED', failedCount: 1, reserved: 0 });
      expect(settled.orders.map((made) => made.id)).toEqual([21, 22]);
      expect(settled.orders[0]).toMatchObject({
        owner: alice,
        attemptId: id,
        reactivatedFromId: null,
        amount: 4_500,
        version: 1,
        asOf: sentAt,
        createdAt: sentAt,
      });
      expect((await store.attempts.find(alice, job('job-a')))?.orders).toEqual(settled.orders);
      expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 8_500, reserved: 0 });
      expect(wake.take()).toEqual(['attempt:attempt-a', 'open-orders', 'order:21', 'order:22']);
    });

    it('books what was charged, though it be more than was reserved', async () => {
      const { store } = world();
      await bought(store, draft('a', { reserve: rupiah(1) }), snapshot(21));
      expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 4_000, reserved: 0 });
    });

    it('remembers whose number was reactivated', async () => {
      const { store } = world();
      const settled = await bought(store, reactivation('a', order(20)), snapshot(21));
      if (settled.kind !== 'settled') throw new Error('the claim was held');
      expect(settled.orders[0]?.reactivatedFromId).toBe(20);
    });

    it('joins what a webhook told of an order before the answer came', async () => {
      const { store } = world();
      const claim = await prepared(store, draft('a'));
      world().clock.pass(SECOND);
      await receive(store, 21, smsEvent(21, 0, 'early'));
      expect(await store.orders.find(ofAll, order(21))).toBeNull();
      await store.attempts.settle(claim, made(snapshot(21)));
      expect(await store.orders.find(ofAlice, order(21))).toMatchObject({
        status: 'OTP_RECEIVED',
        smsRevision: 0,
        otpMessage: 'early',
        amount: 4_000,
      });
      expect(await store.orders.messages(ofAlice, order(21), -1, 10)).toMatchObject([{ message: 'early' }]);
    });

    it.each([
      ['another attempt of the same caller', alice],
      ['another caller', bob],
    ])('never takes an order over from %s: it is unclear what was bought', async (_, caller) => {
      const { store, database } = world();
      await bought(store, draft('b', { caller }), snapshot(21));
      const claim = await prepared(store, draft('a', { quantity: 2 }));
      const settled = await store.attempts.settle(claim, made(snapshot(21), snapshot(22)));
      expect(settled).toMatchObject({
        kind: 'settled',
        orders: [],
        attempt: { state: 'NEEDS_RECONCILIATION', reason: 'MALFORMED_SUCCESS', reserved: 5_000 },
      });
      expect((await store.attempts.events(id, 2))[0]?.note).toContain('another attempt');
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({ attemptId: 'attempt-b' });
      expect(await store.orders.find(ofAll, order(22))).toBeNull();
      const [evidence] = await database.query('select reply from attempt_evidence');
      expect(evidence?.['reply']).toContain('"id":22');
    });

    it('does not count an order twice that an answer names twice', async () => {
      const { store } = world();
      const claim = await prepared(store, draft('a', { quantity: 2 }));
      const { attempt } = await store.attempts.settle(claim, made(snapshot(21), snapshot(21)));
      expect(attempt).toMatchObject({ state: 'NEEDS_RECONCILIATION', reason: 'MALFORMED_SUCCESS' });
      expect((await store.budgets.find(alice)).spent).toBe(0);
    });

    it('keeps a late answer as evidence and changes nothing, when another has taken over', async () => {
      const { store, clock, database, wake } = world();
      const late = await prepared(store, draft('a'));
      clock.pass(SEND_LEASE);
      const taken = await store.attempts.take(id, 'second');
      wake.take();
      const result = await store.attempts.settle(late, made(snapshot(21)));
      expect(result).toEqual({ kind: 'claim-lost', attempt: taken.attempt });
      expect(await store.orders.find(ofAll, order(21))).toBeNull();
      expect(await store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 5_000 });
      const evidence = await database.query('select attempt_id, claim_version, reply from attempt_evidence');
      expect(evidence).toMatchObject([{ attempt_id: id, claim_version: 2 }]);
      expect(evidence[0]?.['reply']).toContain('"id":21');
      expect(wake.take()).toEqual([]);
    });

    it.each([
      ['another token', { token: 'wrong' }],
      ['an older version', { version: 1 }],
    ])('refuses a claim with %s', async (_, wrong) => {
      const { store } = world();
      const claim = await prepared(store, draft('a'));
      const result = await store.attempts.settle({ ...claim, ...wrong }, made(snapshot(21)));
      expect(result.kind).toBe('claim-lost');
      expect(result.attempt.state).toBe('SENDING');
    });

    it('settles a claim once', async () => {
      const { store } = world();
      const claim = await prepared(store, draft('a'));
      await store.attempts.settle(claim, made(snapshot(21)));
      expect((await store.attempts.settle(claim, made(snapshot(22)))).kind).toBe('claim-lost');
      expect((await store.budgets.find(alice)).spent).toBe(4_000);
    });

    it('takes an answer after the lease has run out while nobody has taken over', async () => {
      const { store, clock } = world();
      const claim = await prepared(store, draft('a'));
      clock.pass(SEND_LEASE * 2);
      expect((await store.attempts.settle(claim, made(snapshot(21)))).kind).toBe('settled');
    });

    it('adopts an order that a poll has shown before, without changing what it is', async () => {
      const { store, clock } = world();
      const claim = await prepared(store, draft('a'));
      clock.pass(SECOND);
      await store.orders.record(snapshot(21, { phoneNumber: '628999' }), clock.now());
      await store.attempts.settle(claim, made(snapshot(21, { status: 'ACTIVE', phoneNumber: null })));
      const adopted = known(await store.orders.find(ofAlice, order(21)));
      expect(adopted).toMatchObject({ phoneNumber: '628999', asOf: clock.now(), attemptId: id, version: 1 });
      expect((await store.budgets.find(alice)).spent).toBe(4_000);
    });
  });
}
