import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buy, CREATE, cheapest, ledgerOf, postsTo, sayTo } from './support/buying.ts';
import { codeOf, startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect } from './support/sockets.ts';

const CLOSE = `mutation ($input: CloseCreateAttemptInput!) {
  closeCreateAttempt(input: $input) { state caller orders { id amount } events { state note } }
}`;
const ATTEMPT = `query ($job: String!, $caller: String) {
  createAttempt(businessJobId: $job, caller: $caller) {
    state sends version: events { version state reason httpStatus note } orders { id }
  }
}`;
const PATH = '/v1/orders/create';

let gateway: TestGateway;
let product = 0;
let buyer = '';
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  product = await cheapest(gateway);
  buyer = (await gateway.makeKey('shop')).key;
});
afterAll(() => gateway.close());

const create = async (businessJobId: string, more: Record<string, unknown> = {}) =>
  (await gateway.ask(CREATE, { input: { businessJobId, catalogProductId: product, ...more } }, buyer)).body
    .data.createOrder;
const look = async (job: string) => (await gateway.ask(ATTEMPT, { job }, buyer)).body.data.createAttempt;
const close = async (input: Record<string, unknown>, key = gateway.key) =>
  (await gateway.ask(CLOSE, { input: { caller: 'shop', note: 'asked the provider', ...input } }, key)).body;

/** A job whose create was charged, or not, and never clearly answered before its threshold. */
async function heldForReview(job: string, charged: boolean): Promise<string | null> {
  const before = (await ledgerOf(gateway)).charges.length;
  // Under the two seconds of the first backoff: it is never sent again.
  await gateway.control('faults', { kind: 'status', status: 500, effect: charged, match: { path: PATH } });
  await create(job, { reviewThresholdAt: new Date(Date.now() + 1_900).toISOString() });
  await until('the threshold has passed', async () => (await look(job)).state === 'OPERATOR_REVIEW', 10_000);
  const charges = (await ledgerOf(gateway)).charges.slice(before);
  expect(charges).toHaveLength(charged ? 1 : 0);
  return charges[0] === undefined ? null : String(charges[0].order_id);
}

test('a threshold in the past: stored for review, and nothing is sent', async () => {
  const before = await postsTo(gateway, PATH);
  const outcome = await create('too late', { reviewThresholdAt: '2020-01-01T00:00:00Z' });
  expect(outcome).toMatchObject({
    __typename: 'CreateOrderOperatorReview',
    attempt: { state: 'OPERATOR_REVIEW', sends: 0 },
  });
  expect(await postsTo(gateway, PATH)).toBe(before);
});

describe('closeCreateAttempt', () => {
  test('ORDERED adopts the order that was made, with what it cost; its messages come with it', async () => {
    const id = await heldForReview('charged', true);
    const sends = (await look('charged')).sends;
    expect(
      (await gateway.ask('query ($id: ID!) { order(id: $id) { id } }', { id }, buyer)).body.data.order,
    ).toBe(null);
    const evidence = await gateway.ask(
      '{ unaccountedOrders(caller: "shop", businessJobId: "charged") { id } }',
    );
    expect(evidence.body.data.unaccountedOrders).toContainEqual({ id });

    const finding = { businessJobId: 'charged', finding: 'ORDERED', orderIds: [id] };
    const closed = (await close(finding)).data.closeCreateAttempt;
    expect(closed).toMatchObject({ state: 'CLOSED', caller: 'shop', orders: [{ id }] });
    expect(closed.events.at(-1)).toEqual({ state: 'CLOSED', note: 'asked the provider' });
    // Asked for again with the same finding, nothing changes; with another one, it is refused.
    expect((await close(finding)).data.closeCreateAttempt).toEqual(closed);
    expect(codeOf({ body: await close({ businessJobId: 'charged', finding: 'NOT_ORDERED' }) })).toBe(
      'BAD_USER_INPUT',
    );
    expect(await create('charged')).toMatchObject({
      __typename: 'CreateOrderResolved',
      attempt: { state: 'CLOSED', sends },
      orders: [{ id }],
    });
    await sayTo(gateway, String(id), 'Your code is 482913');
    const message = async () =>
      (await gateway.ask('query ($id: ID!) { order(id: $id) { otpMessage } }', { id }, buyer)).body.data.order
        .otpMessage;
    await until('its message', async () => (await message()) === 'Your code is 482913');
  });

  test('NOT_ORDERED closes it without an order', async () => {
    await heldForReview('nothing bought', false);
    const input = { businessJobId: 'nothing bought', finding: 'NOT_ORDERED' };
    expect((await close(input)).data.closeCreateAttempt).toMatchObject({ state: 'CLOSED', orders: [] });
    expect(await create('nothing bought')).toMatchObject({
      __typename: 'CreateOrderResolved',
      failedCount: 1,
      orders: [],
    });
  });

  test('what does not fit is refused with its field, and changes nothing', async () => {
    const [other] = await buy(gateway, product, 'of another job', { key: buyer });
    await heldForReview('still held', false);
    const ask = async (more: Record<string, unknown>) =>
      (await close({ businessJobId: 'still held', finding: 'ORDERED', ...more })).errors?.[0]?.extensions;
    const bad = (field: string) => expect.objectContaining({ code: 'BAD_USER_INPUT', field });
    expect(await ask({ orderIds: [other?.id] })).toEqual(bad('orderIds'));
    expect(await ask({ orderIds: ['999'] })).toEqual(bad('orderIds'));
    expect(await ask({ orderIds: ['999', '998'] })).toEqual(bad('orderIds'));
    expect(await ask({})).toEqual(bad('orderIds'));
    expect(await ask({ finding: 'NOT_ORDERED', orderIds: ['999'] })).toEqual(bad('orderIds'));
    expect(await ask({ finding: 'NOT_ORDERED', note: ' ' })).toEqual(bad('note'));
    expect(await ask({ businessJobId: 'of another job', orderIds: [other?.id] })).toEqual(
      bad('businessJobId'),
    );
    expect(await ask({ caller: 'nobody', orderIds: ['999'] })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await look('still held')).state).toBe('OPERATOR_REVIEW');
    const body = await close({ businessJobId: 'still held', finding: 'NOT_ORDERED' }, buyer);
    expect(codeOf({ body })).toBe('FORBIDDEN');
  });

  test('the list of held ones is an operator’s list of work, page by page', async () => {
    const page = async (after: string | null, key = gateway.key) =>
      (
        await gateway.ask(
          `query ($after: String) {
            createAttempts(filter: { states: [OPERATOR_REVIEW] }, first: 1, after: $after) {
              totalCount nodes { businessJobId caller } pageInfo { endCursor hasNextPage }
            }
          }`,
          { after },
          key,
        )
      ).body.data.createAttempts;
    const jobs: string[] = [];
    let after: string | null = null;
    for (;;) {
      const { nodes, pageInfo, totalCount } = await page(after);
      expect(totalCount).toBe(2);
      jobs.push(...nodes.map((node: { businessJobId: string }) => node.businessJobId));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(jobs).toEqual(['still held', 'too late']);
    const { key } = await gateway.makeKey('other');
    expect(await page(null, key)).toMatchObject({ totalCount: 0, nodes: [] });
  });
});

test('createAttemptChanged tells each state once, and completes with the final one', async () => {
  await gateway.control('faults', { kind: 'reset_after', match: { path: PATH } });
  const client = connect(gateway.websocket, buyer);
  expect((await create('followed')).attempt.state).toBe('NEEDS_RECONCILIATION');
  const heard = collect(
    client,
    'subscription { createAttemptChanged(businessJobId: "followed") { state sends } }',
  );
  expect(await heard.ended).toBe('complete');
  expect(heard.items.map(({ data }) => data.createAttemptChanged)).toEqual([
    { state: 'NEEDS_RECONCILIATION', sends: 1 },
    { state: 'SENDING', sends: 2 },
    { state: 'RESOLVED', sends: 2 },
  ]);
  expect((await look('followed')).version).toEqual([
    { version: 1, state: 'PREPARED', reason: null, httpStatus: null, note: null },
    { version: 2, state: 'SENDING', reason: null, httpStatus: null, note: null },
    { version: 3, state: 'NEEDS_RECONCILIATION', reason: 'TRANSPORT', httpStatus: null, note: null },
    { version: 4, state: 'SENDING', reason: null, httpStatus: null, note: null },
    { version: 5, state: 'RESOLVED', reason: null, httpStatus: 200, note: null },
  ]);
  await client.dispose();
});

describe('an order made elsewhere on the account', () => {
  const madeSchema = z.object({ data: z.object({ orders: z.array(z.object({ id: z.int() })) }) });

  test('is an operator’s to see as soon as a webhook tells of it, and no buyer’s', async () => {
    const response = await fetch(`${gateway.app.sandbox?.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-token', 'idempotency-key': 'made-elsewhere' },
      body: JSON.stringify({ catalog_product_id: product, quantity: 1 }),
    });
    const id = String(madeSchema.parse(await response.json()).data.orders[0]?.id);
    const read = async (key: string) =>
      (
        await gateway.ask(
          'query ($id: ID!) { order(id: $id) { id attempt { state } otpMessage } }',
          { id },
          key,
        )
      ).body.data.order;
    expect(await read(gateway.key)).toBeNull();
    await sayTo(gateway, id, 'meant for somebody else');
    await until('the operator sees it', async () => (await read(gateway.key)) !== null);
    expect(await read(gateway.key)).toEqual({ id, attempt: null, otpMessage: 'meant for somebody else' });
    expect(await read(buyer)).toBeNull();
    const refused = await gateway.ask(
      'mutation ($id: ID!) { cancelOrder(orderId: $id) { orderId } }',
      { id },
      buyer,
    );
    expect(codeOf(refused)).toBe('NOT_FOUND');

    const { key: watcher } = await gateway.makeKey('watcher', ['OPERATOR']);
    const client = connect(gateway.websocket, watcher);
    const all = collect(client, 'subscription { smsReceived { message order { id } } }');
    await until('its message in the stream of all', () =>
      all.items.some(({ data }) => data.smsReceived.order.id === id),
    );
    const own = connect(gateway.websocket, buyer);
    const mine = collect(own, 'subscription { smsReceived { message } }');
    await until('the buyer’s own', () => mine.items.length > 0);
    expect(JSON.stringify(mine.items)).not.toContain('meant for somebody else');
    await client.dispose();
    await own.dispose();
  });

  test('that only webhooks told of is the attempt’s as soon as that resolves to it', async () => {
    await gateway.control('faults', { kind: 'reset_after', match: { path: PATH } });
    const before = (await ledgerOf(gateway)).charges.length;
    expect((await create('joined')).attempt.state).toBe('NEEDS_RECONCILIATION');
    const id = String((await ledgerOf(gateway)).charges[before]?.order_id);
    // The message is there before anybody knows whose order it is.
    await sayTo(gateway, id, 'Your code is 117200');
    await until(
      'the replay has resolved it',
      async () => (await look('joined')).state === 'RESOLVED',
      10_000,
    );
    expect((await look('joined')).orders).toEqual([{ id }]);
    const { body } = await gateway.ask(
      'query ($id: ID!) { order(id: $id) { smsRevisions { revision message } } }',
      { id },
      buyer,
    );
    expect(body.data.order.smsRevisions).toEqual([{ revision: 1, message: 'Your code is 117200' }]);
  });
});
