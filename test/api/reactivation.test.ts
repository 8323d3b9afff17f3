import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bought, buy, cheapest, ledgerOf, postsTo, refuse, sayTo } from './support/buying.ts';
import { codeOf, startGateway, type TestGateway } from './support/gateway.ts';

const QUOTE = `query ($id: ID!) {
  reactivationQuote(orderId: $id) {
    __typename orderId ... on ReactivationQuote { cost asOf } ... on ReactivationUnavailable { code }
  }
}`;
const REACTIVATE = `mutation ($input: ReactivateOrderInput!) {
  reactivateOrder(input: $input) {
    __typename
    attempt { kind state sends idempotencyKey quantity sourceOrder { id } }
    ... on CreateOrderResolved { orders { id amount phoneNumber reactivatedFrom { id } } }
    ... on CreateOrderNotSent { reason }
    ... on CreateOrderConflict { differing }
    ... on CreateOrderRejected { code httpStatus }
  }
}`;
const PATH = '/v1/orders/reactivate';
const COST = 4_200;

let gateway: TestGateway;
let completed: Bought[] = [];
let active: Bought;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  await gateway.control('settings', { reactivation: 'always', reactivation_cost: COST });
  const [open, ...others] = await buy(gateway, await cheapest(gateway), 'parents', { quantity: 7 });
  if (open === undefined) throw new Error('nothing was bought');
  active = open;
  for (const { id } of others) {
    await sayTo(gateway, id, 'Your code is 482913');
    await gateway.ask('mutation ($id: ID!) { finishOrder(orderId: $id) { orderId } }', { id });
  }
  completed = others;
});
afterAll(() => gateway.close());

function nextParent(): Bought {
  const parent = completed.pop();
  if (parent === undefined) throw new Error('there are too few parents');
  return parent;
}
const quote = async (id: string, key?: string) => (await gateway.ask(QUOTE, { id }, key)).body;
const reactivate = async (input: Record<string, unknown>, key?: string) =>
  (await gateway.ask(REACTIVATE, { input }, key)).body;

describe('reactivationQuote', () => {
  test('tells what it would cost now; of one that is not completed, that it cannot be', async () => {
    const { id } = nextParent();
    expect((await quote(id)).data.reactivationQuote).toEqual({
      __typename: 'ReactivationQuote',
      orderId: id,
      cost: COST,
      asOf: expect.stringMatching(/Z$/),
    });
    expect((await quote(active.id)).data.reactivationQuote).toEqual({
      __typename: 'ReactivationUnavailable',
      orderId: active.id,
      code: 'CONFLICT',
    });
  });

  test("another's is as one that is not there; a broken upstream is an error", async () => {
    const { id } = nextParent();
    const { key } = await gateway.makeKey('other');
    for (const asked of [id, '999']) {
      expect((await quote(asked, key)).data.reactivationQuote.code).toBe('NOT_FOUND');
    }
    await gateway.control('faults', { kind: 'html_502', match: { path: `/v1/orders/${id}` } });
    expect(codeOf({ body: await quote(id) })).toBe('UPSTREAM_UNAVAILABLE');
    expect(codeOf({ body: await quote('x') })).toBe('BAD_USER_INPUT');
  });
});

describe('reactivateOrder', () => {
  test('rents the number once more, once, however often the job asks', async () => {
    const parent = nextParent();
    const input = { businessJobId: 'again', orderId: parent.id, maxCost: 5_000 };
    const first = (await reactivate(input)).data.reactivateOrder;
    expect(first).toMatchObject({
      __typename: 'CreateOrderResolved',
      attempt: {
        kind: 'REACTIVATE',
        state: 'RESOLVED',
        sends: 1,
        quantity: 1,
        sourceOrder: { id: parent.id },
      },
      orders: [{ amount: COST, phoneNumber: parent.phoneNumber, reactivatedFrom: { id: parent.id } }],
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => reactivate(input)));
    for (const { data } of answers) expect(data.reactivateOrder).toEqual(first);
    expect(await postsTo(gateway, PATH, parent.id)).toBe(1);
    const { charges, requests } = await ledgerOf(gateway);
    const key = first.attempt.idempotencyKey;
    expect(charges.filter((charge) => charge.idempotency_key === key)).toEqual([
      expect.objectContaining({ order_id: Number(first.orders[0].id), amount: COST }),
    ]);
    expect(requests.find(({ path }) => path === PATH)?.body).toEqual({
      id: Number(parent.id),
      max_price: 5_000,
    });
    expect((await reactivate({ ...input, maxCost: 6_000 })).data.reactivateOrder).toMatchObject({
      __typename: 'CreateOrderConflict',
      differing: ['maxCost'],
    });
    // A job has one request of either kind.
    expect((await reactivate({ ...input, businessJobId: 'parents' })).data.reactivateOrder.__typename).toBe(
      'CreateOrderConflict',
    );
  });

  test('dearer than allowed, or not completed: not sent', async () => {
    const parent = nextParent();
    const ask = async (businessJobId: string, orderId: string, maxCost: number) =>
      (await reactivate({ businessJobId, orderId, maxCost })).data.reactivateOrder;
    expect(await ask('too dear', parent.id, COST - 1)).toMatchObject({
      __typename: 'CreateOrderNotSent',
      attempt: null,
      reason: 'PRICE_ABOVE_LIMIT',
    });
    expect(await ask('not completed', active.id, COST)).toMatchObject({ reason: 'NOT_REACTIVATABLE' });
    await refuse(gateway, `/v1/orders/${parent.id}/reactivate-options`, 422, 'PROVIDER_ERROR');
    expect(await ask('no quote', parent.id, COST)).toMatchObject({ reason: 'QUOTE_UNAVAILABLE' });
    expect(await postsTo(gateway, PATH, parent.id)).toBe(0);
    // Nothing was stored: the same job may still be used.
    expect(await ask('too dear', parent.id, COST)).toMatchObject({ __typename: 'CreateOrderResolved' });
  });

  test('CONFLICT on the first send is definite', async () => {
    const parent = nextParent();
    await refuse(gateway, PATH, 409, 'CONFLICT');
    const input = { businessJobId: 'refused', orderId: parent.id, maxCost: COST };
    expect((await reactivate(input)).data.reactivateOrder).toMatchObject({
      __typename: 'CreateOrderRejected',
      attempt: { state: 'DEFINITIVE_REJECTION', sends: 1 },
      code: 'CONFLICT',
      httpStatus: 409,
    });
  });

  test("another's order is NOT_FOUND, and no quote is read for it", async () => {
    const { key } = await gateway.makeKey('stranger');
    // What the gateway asks by itself meanwhile, as for the balance, is no matter here.
    const aboutReactivation = async (): Promise<number> =>
      (await ledgerOf(gateway)).requests.filter(({ path }) => path.includes('reactivat')).length;
    const before = await aboutReactivation();
    expect(before).toBeGreaterThan(0);
    for (const orderId of [active.id, '999', 'x']) {
      const body = await reactivate({ businessJobId: 'not mine', orderId, maxCost: COST }, key);
      expect(codeOf({ body })).toBe('NOT_FOUND');
    }
    expect(await aboutReactivation()).toBe(before);
  });
});
