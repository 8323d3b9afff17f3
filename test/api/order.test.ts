import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect, openEvents } from './support/sockets.ts';

const CREATE = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) {
    __typename
    attempt { state sends }
    ... on CreateOrderResolved { failedCount orders { id phoneNumber status amount } }
    ... on CreateOrderNotSent { reason }
  }
}`;
const WATCH = `subscription ($id: ID, $after: Int! = -1) {
  smsReceived(orderId: $id, afterRevision: $after) { revision message source order { id status } }
}`;

async function productOf(gateway: TestGateway): Promise<number> {
  const { body } = await gateway.ask(
    '{ catalogProducts(filter: { orderable: true }, orderBy: { field: PRICE }, first: 1) { nodes { catalogProductId } } }',
  );
  return body.data.catalogProducts.nodes[0].catalogProductId;
}

async function order(gateway: TestGateway, businessJobId: string): Promise<string> {
  const catalogProductId = await productOf(gateway);
  const { body } = await gateway.ask(CREATE, { input: { businessJobId, catalogProductId } });
  expect(body.data.createOrder).toMatchObject({
    __typename: 'CreateOrderResolved',
    attempt: { state: 'RESOLVED', sends: 1 },
    failedCount: 0,
    orders: [{ status: 'ACTIVE', phoneNumber: expect.stringMatching(/^\+?\d{6,}$/) }],
  });
  return body.data.createOrder.orders[0].id;
}

const say = (gateway: TestGateway, id: string, message: string): Promise<unknown> =>
  gateway.control('sms', { order_id: Number(id), message });

describe('by webhook, with polling off', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  });
  afterAll(() => gateway.close());

  test('an order gets its number at once and its messages over WebSocket and SSE, each once and in order', async () => {
    const id = await order(gateway, 'by-webhook');
    const client = connect(gateway.websocket, gateway.key);
    const socket = collect(client, WATCH, { id });
    const events = await openEvents(gateway.graphql, gateway.key, WATCH, { id });
    await say(gateway, id, 'Your code is 482913');
    await until('both see the first message', () => socket.items.length === 1 && events.items.length === 1);
    await say(gateway, id, 'Your code is now 117200');
    await until('both see the second', () => socket.items.length === 2 && events.items.length === 2);
    const expected = [
      { message: 'Your code is 482913', source: 'WEBHOOK', order: { id } },
      { message: 'Your code is now 117200', source: 'WEBHOOK', order: { id } },
    ];
    for (const items of [socket.items, events.items]) {
      expect(items.map((item) => item.data.smsReceived)).toMatchObject(expected);
      const revisions = items.map((item) => item.data.smsReceived.revision);
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    }
    events.abort();
    await client.dispose();
  });

  test('asked for again, the same job is answered with the same order and nothing is charged', async () => {
    const id = await order(gateway, 'asked-twice');
    const ledger = JSON.stringify(await gateway.control('ledger'));
    expect(await order(gateway, 'asked-twice')).toBe(id);
    const charges = (text: string): number => text.match(/"kind":"charge"/g)?.length ?? 0;
    expect(charges(JSON.stringify(await gateway.control('ledger')))).toBe(charges(ledger));
  });

  test('a client that comes back resumes behind its last revision', async () => {
    const id = await order(gateway, 'resumed');
    const client = connect(gateway.websocket, gateway.key);
    const first = collect(client, WATCH, { id });
    await say(gateway, id, 'one 1111');
    await until('the first message', () => first.items.length === 1);
    await client.dispose();
    await say(gateway, id, 'two 2222');
    await say(gateway, id, 'three 3333');

    const revision = first.items[0]?.data.smsReceived.revision;
    const again = await openEvents(gateway.graphql, gateway.key, WATCH, { id, after: revision });
    await until('what was missed', () => again.items.length === 2);
    expect(again.items.map((item) => item.data.smsReceived.message)).toEqual(['two 2222', 'three 3333']);
    again.abort();
  });

  test('the stream of one order completes when the order has ended', async () => {
    const id = await order(gateway, 'ended');
    const events = await openEvents(gateway.graphql, gateway.key, WATCH, { id });
    await say(gateway, id, 'last 9999');
    await until('the message', () => events.items.length === 1);
    await gateway.control(`orders/${id}/expire`, {});
    expect(await events.ended).toBe('complete');
  });

  test('queries and mutations go over WebSocket too', async () => {
    const client = connect(gateway.websocket, gateway.key);
    const catalogProductId = await productOf(gateway);
    const created = collect(client, CREATE, { input: { businessJobId: 'by-socket', catalogProductId } });
    expect(await created.ended).toBe('complete');
    expect(created.items[0]?.data.createOrder.__typename).toBe('CreateOrderResolved');
    const asked = collect(client, '{ viewer { caller } }');
    expect(await asked.ended).toBe('complete');
    expect(asked.items[0]?.data.viewer.caller).toBe('sandbox');
    await client.dispose();
  });
});

test('with webhooks lost, polling finds the message', async () => {
  const gateway = await startGateway({ POLL_INTERVAL_SECONDS: '1' });
  await gateway.control('settings', { webhooks: false });
  const id = await order(gateway, 'by-poll');
  const events = await openEvents(gateway.graphql, gateway.key, WATCH, { id });
  await say(gateway, id, 'found by reading 5150');
  await until('the message', () => events.items.length === 1);
  expect(events.items[0]?.data.smsReceived).toMatchObject({
    message: 'found by reading 5150',
    source: 'POLL',
  });
  events.abort();
  await gateway.close();
});
