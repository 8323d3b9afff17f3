import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { PaidReply } from '../../../src/domain/orders/reply.ts';
import { createOrder } from '../../../src/flows/orders/create-order.ts';
import { fingerprint } from '../../../src/flows/orders/fingerprint.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { made } from '../../support/gateway.ts';
import {
  alice,
  bob,
  byAlice,
  catalogProductId,
  job,
  key,
  moment,
  orderId,
  start,
} from '../../support/values.ts';
import { asked, attemptOf, oneMade, openCreating, outcomeIn, sendsOf } from '../support/creating.ts';

describe('a new job', () => {
  it('is stored, sent once, and answered with its order', async () => {
    const gateway = await openCreating();
    const result = outcomeIn(await gateway.create());
    expect(result).toMatchObject({
      kind: 'CreateOrderResolved',
      failedCount: 0,
      attempt: { state: 'RESOLVED', sends: 1, body: '{"catalog_product_id":88,"quantity":1}' },
      orders: [{ id: 7, owner: alice, phoneNumber: '+62811000007' }],
    });
    expect(sendsOf(gateway)).toBe(1);
    expect(gateway.counts.get('attemptReached RESOLVED')).toBe(1);
  });

  it('is sent with the bytes and the key that are stored, under its own fingerprint', async () => {
    const sent: unknown[] = [];
    const gateway = await openCreating({
      async sendPaid({ endpoint, body, idempotencyKey }) {
        sent.push({ endpoint, body, idempotencyKey });
        return oneMade;
      },
    });
    const routing = { operatorId: null, minPrice: null, policy: 'CHEAPEST', preferProvider: null } as const;
    await gateway.create({ maxUnitPrice: rupiah(6_000), quantity: null, routing });
    const { endpoint, body, idempotencyKey, fingerprint: kept } = await attemptOf(gateway);
    expect(sent).toEqual([{ endpoint, body, idempotencyKey }]);
    expect(body).toBe('{"catalog_product_id":88,"max_price":6000,"policy":"cheapest","quantity":1}');
    expect(kept).toBe(fingerprint('/orders/create', body));
  });

  it('is committed as being sent before anything leaves', async () => {
    const gateway = await openCreating({
      async sendPaid() {
        const { state, sends: count } = await attemptOf(gateway);
        expect({ state, count }).toEqual({ state: 'SENDING', count: 1 });
        return oneMade;
      },
    });
    await gateway.create();
    expect(sendsOf(gateway)).toBe(1);
  });

  it('keeps the key it was given, and otherwise makes one', async () => {
    const gateway = await openCreating();
    await gateway.create({ idempotencyKey: key('mine') });
    await gateway.create({ businessJobId: job('job-2'), idempotencyKey: null });
    expect((await attemptOf(gateway)).idempotencyKey).toBe('mine');
    expect((await attemptOf(gateway, 'job-2')).idempotencyKey).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  });

  it('whose threshold has passed is held for a person, unsent', async () => {
    const gateway = await openCreating();
    const result = outcomeIn(await gateway.create({ reviewThresholdAt: moment(-1) }));
    expect(result).toMatchObject({ kind: 'CreateOrderOperatorReview', attempt: { sends: 0 } });
    expect(sendsOf(gateway)).toBe(0);
  });

  it('reads the balance again soon, beside the answer', async () => {
    const gateway = await openCreating();
    await gateway.create();
    expect(gateway.upstream.count('balance')).toBe(0);
    await gateway.clock.pass(1_000);
    expect(gateway.upstream.count('balance')).toBe(1);
    expect(await gateway.store.balances.latest()).toMatchObject({ amount: 1_000 });
  });
});

describe('a job asked for again', () => {
  it('is answered with its present outcome, and sends and reads nothing', async () => {
    const gateway = await openCreating();
    const first = outcomeIn(await gateway.create());
    const calls = [...gateway.upstream.calls];
    expect(outcomeIn(await gateway.create())).toEqual(first);
    expect(outcomeIn(await gateway.create({ quantity: null, idempotencyKey: null }))).toEqual(first);
    expect(gateway.upstream.calls).toEqual(calls);
  });

  it('with another request is a conflict that names the fields, and changes nothing', async () => {
    const gateway = await openCreating();
    const { attempt } = outcomeIn(await gateway.create());
    const other = { quantity: 2, catalogProductId: catalogProductId(89), idempotencyKey: key('other') };
    expect(outcomeIn(await gateway.create(other))).toEqual({
      kind: 'CreateOrderConflict',
      attempt,
      differing: ['catalogProductId', 'quantity', 'idempotencyKey'],
    });
    expect(await attemptOf(gateway)).toEqual(attempt);
    expect(sendsOf(gateway)).toBe(1);
  });

  it('by another caller is another job', async () => {
    const gateway = await openCreating();
    await gateway.create();
    const theirs: PaidReply = { kind: 'made', orders: [made({ id: orderId(8) })], failedCount: 0 };
    gateway.upstream.script({ sendPaid: async () => theirs });
    expect(outcomeIn(await gateway.create({ caller: bob }))).toMatchObject({
      orders: [{ id: 8, owner: bob }],
    });
    expect(sendsOf(gateway)).toBe(2);
  });

  it('while it is being sent is in flight', async () => {
    const gateway = await openCreating({
      async sendPaid() {
        const result = outcomeIn(await createOrder(gateway.deps, asked, byAlice));
        expect(result).toMatchObject({ kind: 'CreateOrderInFlight', attempt: { state: 'SENDING' } });
        return oneMade;
      },
    });
    await gateway.create();
    expect(sendsOf(gateway)).toBe(1);
  });

  it('with a key that belongs to another attempt, whoever’s, is refused before anything is stored', async () => {
    const gateway = await openCreating();
    await gateway.create({ idempotencyKey: key('shared') });
    for (const caller of [alice, bob]) {
      const again = { caller, businessJobId: job('job-2'), idempotencyKey: key('shared') };
      expect(await gateway.create(again)).toEqual({ kind: 'key-taken' });
      expect(await gateway.store.attempts.find(caller, job('job-2'))).toBeNull();
    }
    expect(sendsOf(gateway)).toBe(1);
  });
});

describe('the answer of the provider', () => {
  it.each<[string, PaidReply, object]>([
    [
      'a rejection',
      { kind: 'failure', httpStatus: 422, code: 'NO_OFFER_AVAILABLE', retryAfterSeconds: null },
      { kind: 'CreateOrderRejected', code: 'NO_OFFER_AVAILABLE', httpStatus: 422 },
    ],
    [
      'none',
      { kind: 'transport' },
      { kind: 'CreateOrderNeedsReconciliation', reason: 'TRANSPORT', nextAttemptAt: moment(2_000) },
    ],
    [
      'in progress',
      { kind: 'failure', httpStatus: 409, code: 'REQUEST_IN_PROGRESS', retryAfterSeconds: null },
      { kind: 'CreateOrderNeedsReconciliation', reason: 'REQUEST_IN_PROGRESS' },
    ],
    [
      'a ban',
      { kind: 'failure', httpStatus: 429, code: 'TEMP_BANNED_ABUSE_GUARD', retryAfterSeconds: 14_400 },
      {
        kind: 'CreateOrderNeedsReconciliation',
        reason: 'UNKNOWN_RESPONSE',
        nextAttemptAt: moment(3_600_000),
      },
    ],
    [
      'orders that do not add up',
      { kind: 'made', orders: [made(), made({ id: orderId(8) })], failedCount: 0 },
      { kind: 'CreateOrderNeedsReconciliation', reason: 'MALFORMED_SUCCESS' },
    ],
    [
      'none made',
      { kind: 'made', orders: [], failedCount: 1 },
      { kind: 'CreateOrderResolved', orders: [], failedCount: 1 },
    ],
  ])('%s', async (_, reply, expected) => {
    const gateway = await openCreating({ sendPaid: async () => reply });
    expect(outcomeIn(await gateway.create())).toMatchObject(expected);
    expect(sendsOf(gateway)).toBe(1);
  });

  const noMoney: PaidReply = {
    kind: 'failure',
    httpStatus: 409,
    code: 'INSUFFICIENT_BALANCE',
    retryAfterSeconds: null,
  };

  it('no money: stops after the one send, and reads the balance', async () => {
    const gateway = await openCreating({ sendPaid: async () => noMoney });
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderInsufficientBalance');
    expect(gateway.upstream.calls.slice(-2)).toEqual([expect.stringContaining('sendPaid'), 'balance']);
    expect(await gateway.store.balances.latest()).toMatchObject({ amount: 1_000 });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('no money, and a balance that cannot be kept: the outcome is told all the same', async () => {
    const gateway = await openCreating(
      { sendPaid: async () => noMoney },
      {
        spoil: (store) => ({
          ...store,
          balances: { ...store.balances, record: () => Promise.reject(new Error('disk full')) },
        }),
      },
    );
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderInsufficientBalance');
  });
});

describe('an order without a number', () => {
  const bare: PaidReply = { kind: 'made', orders: [made({ phoneNumber: null })], failedCount: 0 };

  it('is read exactly once more; still none, and it is pending', async () => {
    const gateway = await openCreating({
      sendPaid: async () => bare,
      order: async () => ({ kind: 'read', value: made({ phoneNumber: ' ' }), readAt: start }),
    });
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderPendingAssignment');
    await gateway.clock.pass(60_000);
    expect(gateway.upstream.count('order')).toBe(1);
    expect(sendsOf(gateway)).toBe(1);
  });

  it('whose number is there by then is resolved', async () => {
    const gateway = await openCreating({
      sendPaid: async () => bare,
      order: async () => ({ kind: 'read', value: made(), readAt: moment(1) }),
    });
    expect(outcomeIn(await gateway.create())).toMatchObject({
      kind: 'CreateOrderResolved',
      orders: [{ phoneNumber: '+62811000007' }],
    });
    expect(gateway.upstream.count('order')).toBe(1);
  });

  it.each<[string, Partial<NumbersApi>]>([
    ['fails', { order: async () => ({ kind: 'unavailable', httpStatus: null, retryAfterSeconds: null }) }],
    ['throws', { order: () => Promise.reject(new Error('a bug')) }],
  ])('whose read %s is pending, and nothing else is lost', async (_, change) => {
    const gateway = await openCreating({ sendPaid: async () => bare, ...change });
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderPendingAssignment');
    expect(gateway.upstream.count('order')).toBe(1);
  });

  it('is read for itself alone, of several', async () => {
    const ids = Array.from({ length: 10 }, (_, n) => orderId(n));
    const gateway = await openCreating({
      sendPaid: async () => ({
        kind: 'made',
        orders: ids.map((id) => made({ id, phoneNumber: id % 2 === 0 ? '+1' : null })),
        failedCount: 0,
      }),
      order: async (id) => ({ kind: 'read', value: made({ id, phoneNumber: '+2' }), readAt: moment(1) }),
    });
    const result = outcomeIn(await gateway.create({ quantity: 10 }));
    expect(result).toMatchObject({ kind: 'CreateOrderResolved', orders: { length: 10 } });
    expect(gateway.upstream.count('order')).toBe(5);
  });
});
