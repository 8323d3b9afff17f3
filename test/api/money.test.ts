import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { buy, CREATE, cheapest, ledgerOf, postsTo, sayTo } from './support/buying.ts';
import { codeOf, startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect } from './support/sockets.ts';

let gateway: TestGateway;
let product = 0;
let price = 0;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  await gateway.control('settings', { minimum_cancel_seconds: 0 });
  product = await cheapest(gateway);
  price = (await buy(gateway, product, 'price'))[0]?.amount ?? 0;
});
afterAll(() => gateway.close());

describe('a budget', () => {
  const budgetOf = async (key: string) =>
    (await gateway.ask('{ viewer { budget { limit spent reserved remaining } } }', {}, key)).body.data.viewer
      .budget;
  const create = async (key: string, businessJobId: string, more: Record<string, unknown> = {}) =>
    (await gateway.ask(CREATE, { input: { businessJobId, catalogProductId: product, ...more } }, key)).body
      .data.createOrder;
  // Reserved is the bound that is sent: so that what fits does not hang on the dearest tier.
  const bound = () => ({ maxUnitPrice: price });

  test('holds: what does not fit is not sent, what is charged is spent, what comes back may be spent again', async () => {
    const limit = 2 * price + 100;
    const { key } = await gateway.makeKey('thrifty', ['BUYER'], { budgetLimit: rupiah(limit) });
    expect(await budgetOf(key)).toEqual({ limit, spent: 0, reserved: 0, remaining: limit });
    const first = await create(key, 'one', bound());
    expect(first.__typename).toBe('CreateOrderResolved');
    expect(await budgetOf(key)).toEqual({ limit, spent: price, reserved: 0, remaining: limit - price });

    const before = await postsTo(gateway, '/v1/orders/create');
    expect(await create(key, 'two at once', { ...bound(), quantity: 2 })).toEqual({
      __typename: 'CreateOrderNotSent',
      attempt: null,
      reason: 'BUDGET_EXCEEDED',
      budget: { limit, spent: price, reserved: 0, remaining: limit - price },
    });
    expect(await postsTo(gateway, '/v1/orders/create')).toBe(before);
    expect((await create(key, 'two', bound())).__typename).toBe('CreateOrderResolved');
    expect((await create(key, 'three', bound())).reason).toBe('BUDGET_EXCEEDED');

    const [{ id }] = first.orders;
    await gateway.ask('mutation ($id: ID!) { cancelOrder(orderId: $id) { orderId } }', { id }, key);
    expect(await budgetOf(key)).toEqual({ limit, spent: price, reserved: 0, remaining: limit - price });
    expect((await create(key, 'three', bound())).__typename).toBe('CreateOrderResolved');
  });

  test('holds when twenty ask at once for what is enough for three', async () => {
    const limit = 3 * price;
    const { key } = await gateway.makeKey('crowd', ['BUYER'], { budgetLimit: rupiah(limit) });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) => create(key, `crowd ${at}`, bound())),
    );
    const made = outcomes.filter(({ __typename }) => __typename === 'CreateOrderResolved');
    const refused = outcomes.filter(({ reason }) => reason === 'BUDGET_EXCEEDED');
    expect([made.length, refused.length]).toEqual([3, 17]);
    expect(await budgetOf(key)).toEqual({ limit, spent: limit, reserved: 0, remaining: 0 });
  });

  test('while the outcome is not known the most that it can cost stays reserved', async () => {
    const limit = 10 * price;
    const { key } = await gateway.makeKey('waiting', ['BUYER'], { budgetLimit: rupiah(limit) });
    await gateway.control('faults', { kind: 'status', status: 500, match: { path: '/v1/orders/create' } });
    expect((await create(key, 'unclear', bound())).attempt.state).toBe('NEEDS_RECONCILIATION');
    expect(await budgetOf(key)).toEqual({ limit, spent: 0, reserved: price, remaining: limit - price });
    await until('the replay settles it', async () => (await budgetOf(key)).reserved === 0, 10_000);
    expect(await budgetOf(key)).toEqual({ limit, spent: price, reserved: 0, remaining: limit - price });
  });

  test('a caller without one sees none', async () => {
    expect(await budgetOf(gateway.key)).toBeNull();
  });
});

test('balanceChanged: the present balance, and the one after each charge', async () => {
  const client = connect(gateway.websocket, gateway.key);
  const heard = collect(client, 'subscription { balanceChanged { amount currency low asOf } }');
  await until('the present one', () => heard.items.length > 0);
  await buy(gateway, product, 'charged');
  const { balance } = await ledgerOf(gateway);
  await until('the one after', () => heard.items.at(-1)?.data.balanceChanged.amount === balance);
  const amounts = heard.items.map(({ data }) => data.balanceChanged.amount);
  expect(new Set(amounts).size).toBe(amounts.length);
  expect(heard.items.at(-1)?.data.balanceChanged).toMatchObject({ currency: 'IDR', low: false });
  await client.dispose();
});

describe('orderStatistics', () => {
  const STATISTICS = `query ($since: DateTime!, $by: OrderStatisticsGroup) {
    orderStatistics(since: $since, groupBy: $by) {
      key label orders received canceled expired failed successRate secondsToFirstSms { p50 p95 max }
    }
  }`;

  test("counts the caller's own orders, exactly", async () => {
    const { key } = await gateway.makeKey('counted');
    const since = new Date(Date.now() - 60_000).toISOString();
    const [told, canceled, expired] = await buy(gateway, product, 'counted', { key, quantity: 4 });
    if (told === undefined || canceled === undefined || expired === undefined) throw new Error('too few');
    await sayTo(gateway, told.id, 'Your code is 482913');
    await gateway.ask(
      'mutation ($id: ID!) { cancelOrder(orderId: $id) { orderId } }',
      { id: canceled.id },
      key,
    );
    await gateway.control(`orders/${expired.id}/expire`, {});
    const read = async (asker = key, by = 'PRODUCT', from = since) =>
      (await gateway.ask(STATISTICS, { since: from, by }, asker)).body.data.orderStatistics;
    await until('all is counted', async () => {
      const [group] = await read();
      return group?.received === 1 && group.expired === 1;
    });
    expect(await read()).toEqual([
      {
        key: product,
        label: expect.any(String),
        orders: 4,
        received: 1,
        canceled: 1,
        expired: 1,
        failed: 0,
        successRate: expect.closeTo(1 / 3, 5),
        secondsToFirstSms: expect.objectContaining({ p50: expect.any(Number) }),
      },
    ]);
    expect(await read(key, 'PLATFORM')).toEqual([expect.objectContaining({ orders: 4 })]);
    expect(await read(key, 'PRODUCT', new Date(Date.now() + 60_000).toISOString())).toEqual([]);
    const { key: nobody } = await gateway.makeKey('nobody');
    expect(await read(nobody)).toEqual([]);
    // The ready key is an operator's: it sees everybody's.
    expect((await read(gateway.key))[0].orders).toBeGreaterThan(4);
    const { key: supplier } = await gateway.makeKey('seller', ['SUPPLIER']);
    expect(codeOf(await gateway.ask(STATISTICS, { since }, supplier))).toBe('FORBIDDEN');
  });
});
