import { getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/resolvers/index.ts';
import { codeOf, type GraphBody, startGateway, type TestGateway } from '../api/support/gateway.ts';
import { collect, connect, openEvents } from '../api/support/sockets.ts';
import { orderFor, requestsAt, told } from './support/ordering.ts';

let gateway: TestGateway;
let alice: string;
let bob: string;
let theirs: { readonly id: string; readonly phoneNumber: string; readonly idempotencyKey: string };
/** No order has it. */
const NOBODYS = '77777';

beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  alice = (await gateway.makeKey('alice')).key;
  bob = (await gateway.makeKey('bob')).key;
  theirs = await orderFor(gateway, alice, 'job-of-alice');
  await gateway.control('sms', { order_id: Number(theirs.id), message: 'Your code is 482913' });
  await orderFor(gateway, bob, 'job-of-bob');
});
afterAll(() => gateway?.close());

/** What names an order, by its id. */
const byOrder: Readonly<Record<string, string>> = {
  order: 'query ($id: ID!) { order(id: $id) { id phoneNumber } }',
  'order, refreshed': 'query ($id: ID!) { order(id: $id, refresh: true) { id phoneNumber } }',
  reactivationQuote:
    'query ($id: ID!) { reactivationQuote(orderId: $id) { __typename ... on ReactivationUnavailable { code } } }',
  cancelOrder: 'mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename } }',
  finishOrder: 'mutation ($id: ID!) { finishOrder(orderId: $id) { __typename } }',
  resendSms: 'mutation ($id: ID!) { resendSms(orderId: $id) { __typename } }',
  reactivateOrder:
    'mutation ($id: ID!) { reactivateOrder(input: { businessJobId: "again", orderId: $id, maxCost: 99999 }) { __typename } }',
};
const streams: Readonly<Record<string, string>> = {
  smsReceived: 'subscription ($id: ID!) { smsReceived(orderId: $id) { message } }',
  orderChanged: 'subscription ($id: ID!) { orderChanged(orderId: $id) { id phoneNumber } }',
};
/** What names a job. */
const byJob: Readonly<Record<string, string>> = {
  createAttempt: 'query ($id: String!) { createAttempt(businessJobId: $id) { state orders { id } } }',
  orders: 'query ($id: String!) { orders(filter: { businessJobId: $id }) { totalCount nodes { id } } }',
};

describe('an order of another caller is as if it did not exist', () => {
  test.each(Object.entries(byOrder))('%s, over HTTP and WebSocket', async (_, query) => {
    const before = await requestsAt(gateway);
    const answers = [
      await gateway.ask(query, { id: theirs.id }, bob),
      await gateway.ask(query, { id: NOBODYS }, bob),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(told(answers[0]?.body ?? {})).toBe(told(answers[1]?.body ?? {}));
    const client = connect(gateway.websocket, bob);
    const overSocket = collect(client, query, { id: theirs.id });
    await overSocket.ended;
    expect(told(overSocket.items[0] ?? {})).toBe(told(answers[1]?.body ?? {}));
    await client.dispose();
    // Nothing was asked upstream for somebody else's sake.
    expect(await requestsAt(gateway)).toBe(before);
  });

  test.each(Object.entries(streams))('%s, over WebSocket and SSE', async (_, query) => {
    const outcomes: string[] = [];
    for (const id of [theirs.id, NOBODYS]) {
      const client = connect(gateway.websocket, bob);
      const refused = collect(client, query, { id });
      const ended: unknown = await refused.ended;
      outcomes.push(JSON.stringify([ended, refused.items]));
      await client.dispose();
      const events = await openEvents(gateway.graphql, bob, query, { id });
      await events.ended;
      outcomes.push(told(events.items[0] ?? {}));
    }
    expect(outcomes.slice(0, 2)).toEqual(outcomes.slice(2));
    expect(outcomes.join()).toContain('NOT_FOUND');
  });

  test.each(Object.entries(byJob))('so is a job: %s', async (_, query) => {
    const answers = [
      await gateway.ask(query, { id: 'job-of-alice' }, bob),
      await gateway.ask(query, { id: 'nobody-s' }, bob),
    ];
    expect(told(answers[0]?.body ?? {})).toBe(told(answers[1]?.body ?? {}));
  });

  test('so is a job that is followed', async () => {
    const query = 'subscription ($id: String!) { createAttemptChanged(businessJobId: $id) { state } }';
    const refusals: string[] = [];
    for (const id of ['job-of-alice', 'nobody-s']) {
      const events = await openEvents(gateway.graphql, bob, query, { id });
      await events.ended;
      refusals.push(told(events.items[0] ?? {}));
    }
    expect(refusals[0]).toBe(refusals[1]);
  });

  test('so is a number, and nothing in a list of what is bob’s own is alice’s', async () => {
    const { body } = await gateway.ask(
      `query ($n: String!) {
        byNumber: orders(filter: { phoneNumber: $n }) { totalCount nodes { id } }
        orders { totalCount nodes { phoneNumber attempt { caller } smsRevisions { message } } }
        createAttempts { totalCount nodes { caller orders { phoneNumber } } }
        orderStatistics(since: "2020-01-01T00:00:00Z") { orders received }
        viewer { caller budget { spent } }
      }`,
      { n: theirs.phoneNumber },
      bob,
    );
    expect(body.data.byNumber).toEqual({ totalCount: 0, nodes: [] });
    expect(body.data.orders).toMatchObject({
      totalCount: 1,
      nodes: [{ attempt: { caller: 'bob' }, smsRevisions: [] }],
    });
    expect(body.data.createAttempts).toMatchObject({ totalCount: 1, nodes: [{ caller: 'bob' }] });
    expect(body.data.orderStatistics).toEqual([{ orders: 1, received: 0 }]);
    expect(JSON.stringify(body)).not.toContain(theirs.phoneNumber);
    expect(JSON.stringify(body)).not.toContain('alice');
  });

  test('naming the other caller takes an operator', async () => {
    for (const query of [
      '{ createAttempt(businessJobId: "job-of-alice", caller: "alice") { state } }',
      '{ audit(caller: "alice") { nodes { act } } }',
      '{ unaccountedOrders(caller: "alice", businessJobId: "job-of-alice") { id } }',
      '{ deadWebhooks { nodes { id } } }',
      'mutation { replayDeadWebhook(id: "1") { id } }',
      'mutation { closeCreateAttempt(input: { caller: "alice", businessJobId: "job-of-alice", finding: NOT_ORDERED, note: "x" }) { state } }',
    ]) {
      expect(codeOf(await gateway.ask(query, undefined, bob)), query).toBe('FORBIDDEN');
    }
  });

  test('a stream of all orders never shows another’s message', async () => {
    const query = 'subscription { smsReceived { message } }';
    const client = connect(gateway.websocket, bob);
    const seen = collect(client, query);
    const events = await openEvents(gateway.graphql, bob, query);
    await gateway.control('sms', { order_id: Number(theirs.id), message: 'A second one, of alice' });
    const own = (await gateway.ask('{ orders { nodes { id } } }', undefined, bob)).body.data.orders.nodes[0]
      .id;
    await gateway.control('sms', { order_id: Number(own), message: 'One of bob' });
    await expect.poll(() => [seen.items.length, events.items.length]).toEqual([1, 1]);
    for (const { data } of [...seen.items, ...events.items])
      expect(data.smsReceived.message).toBe('One of bob');
    await client.dispose();
    events.abort();
  });

  test('an idempotency key of another’s is refused, and orders nothing', async () => {
    const before = await requestsAt(gateway);
    const answer = await gateway.ask(
      'mutation ($k: String) { createOrder(input: { businessJobId: "steal", catalogProductId: 1, idempotencyKey: $k }) { __typename ... on CreateOrderNotSent { reason } } }',
      { k: theirs.idempotencyKey },
      bob,
    );
    expect(answer.body.data?.createOrder?.orders).toBeUndefined();
    expect(answer.text).not.toContain(theirs.id);
    expect(await requestsAt(gateway)).toBeLessThanOrEqual(before + 3);
  });

  test('takes about as long to be denied as one that is not there', async () => {
    const query = byOrder['order'] ?? '';
    const timeOf = async (id: string): Promise<number> => {
      const startedAt = performance.now();
      await gateway.ask(query, { id }, bob);
      return performance.now() - startedAt;
    };
    // Taken in turns, and the quickest of each: what else the machine does slows both.
    const denied: number[] = [];
    const absent: number[] = [];
    for (let turn = 0; turn < 60; turn++) {
      denied.push(await timeOf(theirs.id));
      absent.push(await timeOf(NOBODYS));
    }
    // The same class: not the difference of a call upstream, which takes milliseconds.
    expect(Math.abs(Math.min(...denied) - Math.min(...absent))).toBeLessThan(2);
  });
});

describe('cursors', () => {
  const page = (body: GraphBody, list: string): string => body.data[list].pageInfo.endCursor;

  test('of another caller, of another list, of another filter, and forged ones are refused', async () => {
    const orders =
      'query ($after: String, $f: OrderFilter) { orders(after: $after, filter: $f) { pageInfo { endCursor } } }';
    const attempts = 'query ($after: String) { createAttempts(after: $after) { pageInfo { endCursor } } }';
    const ofAlice = page((await gateway.ask(orders, {}, alice)).body, 'orders');
    const ofBob = page((await gateway.ask(orders, {}, bob)).body, 'orders');
    const ofAttempts = page((await gateway.ask(attempts, {}, bob)).body, 'createAttempts');
    expect((await gateway.ask(orders, { after: ofBob }, bob)).body.errors).toBeUndefined();
    const flipped = `${ofBob.slice(0, -1)}${ofBob.endsWith('A') ? 'B' : 'A'}`;
    const bad: [string, unknown][] = [
      [orders, { after: ofAlice }],
      [orders, { after: ofAttempts }],
      [attempts, { after: ofBob }],
      [orders, { after: ofBob, f: { statuses: ['ACTIVE'] } }],
      [orders, { after: flipped }],
      [orders, { after: Buffer.from('[9999999999999, 1]').toString('base64url') }],
      [orders, { after: `${ofBob}=` }],
      [orders, { after: '' }],
      [orders, { after: '\u0000' }],
      [orders, { after: 'x'.repeat(100_000) }],
    ];
    for (const [query, variables] of bad) {
      const answer = await gateway.ask(query, variables, bob);
      expect(
        [codeOf(answer), answer.body.errors?.[0]?.extensions?.['field']],
        JSON.stringify(variables).slice(0, 99),
      ).toEqual(['BAD_USER_INPUT', 'after']);
    }
  });

  test('of a stream are good for their caller alone', async () => {
    const query = 'subscription ($after: String) { smsReceived(after: $after) { cursor } }';
    const own = await openEvents(gateway.graphql, alice, query);
    await expect.poll(() => own.items.length).toBeGreaterThan(0);
    const cursor: unknown = own.items[0]?.data.smsReceived.cursor;
    own.abort();
    const stolen = await openEvents(gateway.graphql, bob, query, { after: cursor });
    await stolen.ended;
    expect(codeOf({ body: stolen.items[0] ?? {} })).toBe('BAD_USER_INPUT');
  });
});

test('every field that takes an id, a job, a cursor, a key or a name was attacked', () => {
  const naming = /^(id|orderId|businessJobId|caller|after|input|filter)$/;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}));
  const taking = fields
    .filter(({ args }) =>
      args.some(
        (arg) =>
          naming.test(arg.name) && (arg.name !== 'filter' || isInputObjectType(getNamedType(arg.type))),
      ),
    )
    .map(({ name }) => name)
    .sort();
  // Supplier orders belong to the account: whoever has the scope sees them all. The catalog belongs to nobody.
  const ofNobody = [
    'catalogProducts',
    'deliverSupplierOrder',
    'deliveryPlan',
    'leaseSupplierOrder',
    'releaseSupplierOrder',
    'supplierOrder',
    'supplierOrderClaimed',
    'supplierOrders',
  ];
  const attacked = [
    ...Object.keys(byOrder).filter((name) => !name.includes(',')),
    ...Object.keys(streams),
    ...Object.keys(byJob),
    'createAttemptChanged',
    'createAttempts',
    'audit',
    'unaccountedOrders',
    'deadWebhooks',
    'replayDeadWebhook',
    'closeCreateAttempt',
    'createOrder',
  ];
  expect(taking).toEqual([...ofNobody, ...attacked].sort());
});
