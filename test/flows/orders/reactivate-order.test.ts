import { describe, expect, it } from 'vitest';
import type { Rupiah } from '../../../src/domain/money.ts';
import { rupiah } from '../../../src/domain/money.ts';
import type { ReactivateRequest } from '../../../src/domain/orders/compare.ts';
import type { CreateOutcome } from '../../../src/domain/orders/outcome.ts';
import type { PaidReply } from '../../../src/domain/orders/reply.ts';
import { quoteReactivation } from '../../../src/flows/orders/quote-reactivation.ts';
import { type ReactivateResult, reactivateOrder } from '../../../src/flows/orders/reactivate-order.ts';
import { replayAttempt } from '../../../src/flows/orders/send-attempt.ts';
import type { NumbersApi, ReadReply, UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { haveOrders, limitBudget, made, ofAlice, openScripted } from '../../support/gateway.ts';
import { alice, bob, byAlice, catalogProductId, job, must, orderId, start } from '../../support/values.ts';

const asked: ReactivateRequest = {
  kind: 'REACTIVATE',
  caller: alice,
  businessJobId: job('again'),
  orderId: orderId(7),
  maxCost: rupiah(4_000),
  idempotencyKey: null,
  reviewThresholdAt: null,
};
const child: PaidReply = {
  kind: 'made',
  orders: [made({ id: orderId(8), amount: rupiah(3_500) })],
  failedCount: 0,
};

function quote(cost: number): ReadReply<Rupiah> {
  return { kind: 'read', value: rupiah(cost), readAt: start };
}

function refused(httpStatus: number, code: string): UpstreamFault {
  return { kind: 'refused', httpStatus, code };
}

/** Alice's order 7 has completed; the provider would give its number again for 3,500. */
async function open(change: Partial<NumbersApi> = {}) {
  const gateway = await openScripted({
    reactivationQuote: async () => quote(3_500),
    sendPaid: async () => child,
    balance: async () => ({ kind: 'malformed', httpStatus: 200 }),
    ...change,
  });
  await haveOrders(gateway.store, made({ status: 'COMPLETED', catalogProductId: catalogProductId(88) }));
  const ask = (more: Partial<ReactivateRequest> = {}): Promise<ReactivateResult> =>
    gateway.clock.until(reactivateOrder(gateway.deps, ofAlice, { ...asked, ...more }, byAlice));
  return { ...gateway, ask };
}

function outcomeIn(result: ReactivateResult): CreateOutcome {
  if (result.kind !== 'outcome') throw new Error(`the reactivation came to ${result.kind}`);
  return result.outcome;
}

describe('a reactivation', () => {
  it('is a durable attempt of its own: endpoint, bytes, key, and an order that names its parent', async () => {
    const gateway = await open();
    expect(outcomeIn(await gateway.ask())).toMatchObject({
      kind: 'CreateOrderResolved',
      attempt: {
        endpoint: '/orders/reactivate',
        body: '{"id":7,"max_price":4000}',
        request: { kind: 'REACTIVATE', orderId: 7, maxCost: 4_000 },
        catalogProductId: 88,
        quantity: 1,
      },
      orders: [{ id: 8, owner: alice, reactivatedFromId: 7, amount: 3_500 }],
    });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 8_500, reserved: 0 });
  });

  it('reads the quote first, and reserves what is sent along', async () => {
    const gateway = await open({
      async sendPaid() {
        expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 5_000, reserved: 4_000 });
        return child;
      },
    });
    await gateway.ask();
    expect(gateway.upstream.calls.map((call) => call.split(' ')[0])).toEqual([
      'reactivationQuote',
      'sendPaid',
    ]);
  });

  it('asked for again is answered without a word to the provider', async () => {
    const gateway = await open();
    const first = outcomeIn(await gateway.ask());
    const calls = [...gateway.upstream.calls];
    expect(outcomeIn(await gateway.ask())).toEqual(first);
    expect(gateway.upstream.calls).toEqual(calls);
  });

  it('asked for again with another bound is a conflict', async () => {
    const gateway = await open();
    await gateway.ask();
    expect(outcomeIn(await gateway.ask({ maxCost: rupiah(1) }))).toMatchObject({
      kind: 'CreateOrderConflict',
      differing: ['maxCost'],
    });
  });

  it.each([
    ['that is not there', asked.caller, orderId(99)],
    ['of another', bob, orderId(7)],
  ])('of an order %s asks nothing upstream', async (_, caller, id) => {
    const gateway = await open();
    const scope = { kind: 'own', caller } as const;
    const result = await reactivateOrder(gateway.deps, scope, { ...asked, caller, orderId: id }, byAlice);
    expect(result).toEqual({ kind: 'no-order' });
    expect(gateway.upstream.calls).toEqual([]);
  });

  it.each<[string, ReadReply<Rupiah>, string]>([
    ['dearer than the bound', quote(4_001), 'PRICE_ABOVE_LIMIT'],
    ['not to be had: CONFLICT', refused(409, 'CONFLICT'), 'NOT_REACTIVATABLE'],
    ['not to be had: NOT_FOUND', refused(404, 'NOT_FOUND'), 'NOT_REACTIVATABLE'],
    ['refused by the supplier', refused(422, 'PROVIDER_ERROR'), 'QUOTE_UNAVAILABLE'],
    ['refused otherwise', refused(422, 'SOMETHING_NEW'), 'QUOTE_UNAVAILABLE'],
    ['not answered', { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: null }, 'QUOTE_UNAVAILABLE'],
    ['throttled', { kind: 'throttled', retryAfterSeconds: 5 }, 'QUOTE_UNAVAILABLE'],
    ['malformed', { kind: 'malformed', httpStatus: 200 }, 'QUOTE_UNAVAILABLE'],
  ])('whose quote is %s is not sent', async (_, reply, reason) => {
    const gateway = await open({ reactivationQuote: async () => reply });
    expect(outcomeIn(await gateway.ask())).toMatchObject({
      kind: 'CreateOrderNotSent',
      reason,
      attempt: null,
    });
    expect(await gateway.store.attempts.find(alice, job('again'))).toBeNull();
    expect(gateway.upstream.count('sendPaid')).toBe(0);
  });

  it.each<UpstreamFault>([{ kind: 'unauthorized', httpStatus: 401 }, { kind: 'not-configured' }])(
    'is a fault where nothing works: $kind',
    async (fault) => {
      const gateway = await open({ reactivationQuote: async () => fault });
      expect(await gateway.ask()).toEqual({ kind: 'fault', fault });
    },
  );

  it('at exactly the bound is sent', async () => {
    const gateway = await open({ reactivationQuote: async () => quote(4_000) });
    expect(outcomeIn(await gateway.ask()).kind).toBe('CreateOrderResolved');
  });

  it('over the budget is not sent', async () => {
    const gateway = await open();
    await limitBudget(gateway.store, 8_999);
    expect(outcomeIn(await gateway.ask())).toMatchObject({
      reason: 'BUDGET_EXCEEDED',
      budget: { spent: 5_000 },
    });
    expect(gateway.upstream.count('sendPaid')).toBe(0);
  });

  it.each([
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
  ])('refused at its first send is final: %d %s', async (httpStatus, code) => {
    const gateway = await open({
      sendPaid: async () => ({ kind: 'failure', httpStatus, code, retryAfterSeconds: null }),
    });
    expect(outcomeIn(await gateway.ask())).toMatchObject({ kind: 'CreateOrderRejected', code, httpStatus });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 5_000, reserved: 0 });
  });

  it('refused on a replay is no proof that the first send failed', async () => {
    const gateway = await open({ sendPaid: async () => ({ kind: 'transport' }) });
    await gateway.ask();
    gateway.upstream.script({
      sendPaid: async () => ({ kind: 'failure', httpStatus: 409, code: 'CONFLICT', retryAfterSeconds: null }),
    });
    await gateway.clock.pass(2_000);
    const known = must(await gateway.store.attempts.find(alice, job('again')));
    await gateway.clock.until(replayAttempt(gateway.deps, known.attempt.id));
    expect(outcomeIn(await gateway.ask())).toMatchObject({
      kind: 'CreateOrderNeedsReconciliation',
      reason: 'UNKNOWN_RESPONSE',
      attempt: { sends: 2 },
    });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ reserved: 4_000 });
  });

  it('asked for 50 times at once is sent once', async () => {
    const gateway = await open();
    const asks = Array.from({ length: 50 }, () => reactivateOrder(gateway.deps, ofAlice, asked, byAlice));
    await gateway.clock.until(Promise.all(asks));
    expect(gateway.upstream.count('sendPaid')).toBe(1);
  });
});

describe('a quote', () => {
  it('is asked for each time, and promises nothing', async () => {
    const gateway = await open();
    for (let times = 0; times < 2; times++) {
      expect(await quoteReactivation(gateway.deps, ofAlice, orderId(7))).toEqual({
        kind: 'outcome',
        outcome: { kind: 'ReactivationQuote', orderId: 7, cost: 3_500, asOf: start },
      });
    }
    expect(gateway.upstream.count('reactivationQuote')).toBe(2);
  });

  it.each(['NOT_FOUND', 'CONFLICT', 'PROVIDER_ERROR'])('may not be had: %s', async (code) => {
    const gateway = await open({ reactivationQuote: async () => refused(409, code) });
    expect(await quoteReactivation(gateway.deps, ofAlice, orderId(7))).toEqual({
      kind: 'outcome',
      outcome: { kind: 'ReactivationUnavailable', orderId: 7, code },
    });
  });

  it('of another’s order is as of one that is not there', async () => {
    const gateway = await open();
    const unknown = await quoteReactivation(gateway.deps, ofAlice, orderId(99));
    expect(unknown).toMatchObject({ outcome: { kind: 'ReactivationUnavailable', code: 'NOT_FOUND' } });
    const theirs = await quoteReactivation(gateway.deps, { kind: 'own', caller: bob }, orderId(7));
    expect(theirs).toMatchObject({ outcome: { kind: 'ReactivationUnavailable', code: 'NOT_FOUND' } });
    expect(gateway.upstream.calls).toEqual([]);
  });

  it('with an unknown refusal is a fault', async () => {
    const fault = refused(422, 'VALIDATION_ERROR');
    const gateway = await open({ reactivationQuote: async () => fault });
    expect(await quoteReactivation(gateway.deps, ofAlice, orderId(7))).toEqual({ kind: 'fault', fault });
  });
});
