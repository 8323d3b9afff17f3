import { describe, expect, it } from 'vitest';
import { emptyBudget } from '../../src/domain/budget/budget.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { Attempt, AttemptDraft } from '../../src/domain/orders/attempt.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { Prepared } from '../../src/ports/store/attempts.ts';
import {
  anAttempt,
  anOrder,
  aProduct,
  attemptId,
  moment,
  orderId,
  productId,
  start,
} from '../support/values.ts';
import { dig } from './support/dig.ts';
import { createWorld, type Variables } from './support/world.ts';

/** A shop with one tier of id 88 that answers a new job as told. */
function shop(prepared: (draft: AttemptDraft) => Prepared = () => ({ kind: 'key-taken' })) {
  const world = createWorld({
    numbers: {
      products: () => Promise.resolve({ kind: 'read', value: [aProduct()], readAt: start }),
      countries: () => Promise.resolve({ kind: 'read', value: [], readAt: start }),
      services: () => Promise.resolve({ kind: 'read', value: [], readAt: start }),
    },
  });
  world.rows.prepared = prepared;
  return world;
}

// Two types name a field `reason`, of different enums: one of them needs an alias, as GraphQL merges the two.
const document = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) {
    __typename
    attempt { businessJobId state }
    ... on CreateOrderResolved { orders { id } failedCount }
    ... on CreateOrderPendingAssignment { orders { id } failedCount }
    ... on CreateOrderRejected { code httpStatus }
    ... on CreateOrderInsufficientBalance { balance { amount } }
    ... on CreateOrderNeedsReconciliation { reason nextAttemptAt }
    ... on CreateOrderConflict { differing }
    ... on CreateOrderNotSent { why: reason product { id } budget { limit spent reserved remaining } }
  }
}`;
const asked = { businessJobId: 'job-1', catalogProductId: 88 };

describe('what is asked for', () => {
  async function draftOf(more: Variables): Promise<AttemptDraft | undefined> {
    const world = shop();
    const { errors } = await world.ask(document, { input: { ...asked, ...more } });
    expect(errors).toEqual(['BAD_USER_INPUT idempotencyKey']);
    return world.rows.drafts[0];
  }

  it('is one number where no quantity is given', async () => {
    const draft = await draftOf({});
    expect(draft).toMatchObject({
      caller: 'alice',
      businessJobId: 'job-1',
      quantity: 1,
      idempotencyKey: expect.stringMatching(/token-2$/),
      reviewThresholdAt: null,
      body: '{"catalog_product_id":88,"quantity":1}',
    });
  });

  it('reaches the draft in full', async () => {
    const draft = await draftOf({
      quantity: 3,
      idempotencyKey: 'my-key_1',
      reviewThresholdAt: '2026-09-02T14:00:00+07:00',
      maxUnitPrice: 6_000,
      routing: { operatorId: null, minPrice: 100, policy: 'BEST_SUCCESS', preferProvider: 'alpha beta' },
    });
    expect(draft).toMatchObject({
      quantity: 3,
      idempotencyKey: 'my-key_1',
      reviewThresholdAt: moment(20 * 60 * SECOND),
      body: '{"catalog_product_id":88,"max_price":6000,"min_price":100,"policy":"best_success","prefer_provider":"alpha beta","quantity":3}',
    });
  });

  it('counts null as left out', async () => {
    const nulls = { idempotencyKey: null, reviewThresholdAt: null, maxUnitPrice: null, routing: null };
    expect(await draftOf(nulls)).toMatchObject({ body: '{"catalog_product_id":88,"quantity":1}' });
  });

  it("is the asker's own, an operator's too", async () => {
    const world = shop();
    await world.ask(document, { input: asked }, { scopes: ['OPERATOR'] });
    expect(world.rows.drafts[0]?.caller).toBe('alice');
  });
});

describe('what became of it', () => {
  const told: [Partial<Attempt>, Readonly<Record<string, unknown>>][] = [
    [{ state: 'SENDING' }, { __typename: 'CreateOrderInFlight' }],
    [
      { state: 'RESOLVED', failedCount: 1, quantity: 2 },
      { __typename: 'CreateOrderResolved', orders: [{ id: '7' }], failedCount: 1 },
    ],
    [{ state: 'CLOSED' }, { __typename: 'CreateOrderResolved', orders: [{ id: '7' }], failedCount: 0 }],
    [
      { state: 'DEFINITIVE_REJECTION', rejection: { code: 'NO_OFFER_AVAILABLE', httpStatus: 422 } },
      { __typename: 'CreateOrderRejected', code: 'NO_OFFER_AVAILABLE', httpStatus: 422 },
    ],
    [
      { state: 'INSUFFICIENT_BALANCE' },
      { __typename: 'CreateOrderInsufficientBalance', balance: { amount: 12 } },
    ],
    [
      { state: 'NEEDS_RECONCILIATION', reason: 'HTTP_5XX', nextAttemptAt: moment(2 * SECOND) },
      {
        __typename: 'CreateOrderNeedsReconciliation',
        reason: 'HTTP_5XX',
        nextAttemptAt: '2026-09-02T06:40:02.000Z',
      },
    ],
    [{ state: 'OPERATOR_REVIEW' }, { __typename: 'CreateOrderOperatorReview' }],
  ];

  it.each(told)('of an attempt that is %o', async (change, expected) => {
    const world = shop();
    world.rows.attempts = [anAttempt(change)];
    world.rows.orders = [anOrder({ id: orderId(7), attemptId: attemptId('attempt-1') })];
    world.rows.balances = [{ currency: 'IDR', amount: rupiah(12), asOf: start, sequence: 1 }];
    const { data, errors } = await world.ask(document, { input: asked });
    expect(errors).toEqual([]);
    expect(dig(data, 'createOrder')).toEqual({
      attempt: { businessJobId: 'job-1', state: change.state },
      ...expected,
    });
  });

  it('while a number is missing', async () => {
    const world = shop();
    world.rows.attempts = [anAttempt({ state: 'RESOLVED' })];
    world.rows.orders = [anOrder({ phoneNumber: null })];
    const { data } = await world.ask(document, { input: asked });
    expect(dig(data, 'createOrder')).toMatchObject({
      __typename: 'CreateOrderPendingAssignment',
      orders: [{ id: '7' }],
      failedCount: 0,
    });
  });

  it('when the job is bound to another request', async () => {
    const world = shop();
    world.rows.attempts = [anAttempt()];
    const other = { ...asked, catalogProductId: 89, maxUnitPrice: 1, idempotencyKey: 'other' };
    const { data } = await world.ask(document, { input: other });
    expect(dig(data, 'createOrder')).toEqual({
      __typename: 'CreateOrderConflict',
      attempt: { businessJobId: 'job-1', state: 'SENDING' },
      differing: ['catalogProductId', 'maxUnitPrice', 'idempotencyKey'],
    });
  });

  it('when it is too dear', async () => {
    const { data } = await shop().ask(document, { input: { ...asked, maxUnitPrice: 4_999 } });
    expect(dig(data, 'createOrder')).toEqual({
      __typename: 'CreateOrderNotSent',
      attempt: null,
      why: 'PRICE_ABOVE_LIMIT',
      product: { id: String(productId(70)) },
      budget: null,
    });
  });

  it('when the budget does not reach', async () => {
    const budget = { ...emptyBudget, limit: rupiah(9_000), spent: rupiah(4_000), reserved: rupiah(1_000) };
    const { data } = await shop(() => ({ kind: 'over-budget', budget })).ask(document, { input: asked });
    expect(dig(data, 'createOrder')).toEqual({
      __typename: 'CreateOrderNotSent',
      attempt: null,
      why: 'BUDGET_EXCEEDED',
      product: null,
      budget: { limit: 9_000, spent: 4_000, reserved: 1_000, remaining: 4_000 },
    });
  });
});
