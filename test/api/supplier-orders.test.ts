import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PULL_LIMIT } from '../../src/flows/supplier/pull-orders.ts';
import { createMovableClock } from '../crash/support/movable-clock.ts';
import { codeOf, startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect } from './support/sockets.ts';

const PULL =
  'mutation ($limit: Int! = 100) { pullSupplierOrders(limit: $limit) { id status claimedAt claimCursor } }';
const WATCH = 'subscription ($after: String) { supplierOrderClaimed(after: $after) { id claimCursor } }';
const WATCH_OPEN =
  'subscription ($after: String) { supplierOrderClaimed(after: $after, openFirst: true) { id claimCursor } }';
const LIST = `query ($first: Int, $after: String, $filter: SupplierOrderFilter) {
  supplierOrders(first: $first, after: $after, filter: $filter) {
    nodes { id status } pageInfo { endCursor hasNextPage hasPreviousPage }
  }
}`;

const clock = createMovableClock(0);
let gateway: TestGateway;
let seller = '';
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' }, { clock });
  await gateway.control('settings', { supplier_processing_ms: 0 });
  seller = (await gateway.makeKey('seller', ['SUPPLIER'])).key;
});
afterAll(() => gateway.close());

const placedSchema = z.object({ id: z.string() });
async function place(count: number, order: Record<string, unknown> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const placed = await gateway.control('supplier-orders', { quantity: 1, ...order });
    ids.push(placedSchema.parse(placed).id);
  }
  return ids;
}
const idsOf = (orders: readonly { id: string }[]): string[] => orders.map(({ id }) => id);
const pull = async (limit = 100, key = seller) => (await gateway.ask(PULL, { limit }, key)).body;
const list = async (variables: Record<string, unknown>) =>
  (await gateway.ask(LIST, variables, seller)).body.data.supplierOrders;

beforeEach(async () => {
  // What a test before has left.
  await pull(500);
});

describe('pullSupplierOrders', () => {
  test('claims the oldest first, each for one asker, and only what is paid, manual and pending', async () => {
    const wanted = [...(await place(3)), ...(await place(1, { paymentStatus: 'partial' }))];
    await place(1, { paymentStatus: 'pending' });
    await place(1, { productType: 'auto' });
    const first = (await pull(2)).data.pullSupplierOrders;
    expect(idsOf(first)).toEqual(wanted.slice(0, 2));
    expect(first[0]).toMatchObject({ status: 'PROCESSING', claimedAt: expect.stringMatching(/Z$/) });
    expect(idsOf((await pull()).data.pullSupplierOrders)).toEqual(wanted.slice(2));
    expect((await pull()).data.pullSupplierOrders).toEqual([]);
  });

  test('ten at once share the orders out: none twice, none forgotten', async () => {
    const placed = await place(30);
    const pulled = await Promise.all(Array.from({ length: 10 }, () => pull(5)));
    const ids = pulled.flatMap(({ data }) => idsOf(data.pullSupplierOrders));
    expect(ids.toSorted()).toEqual(placed.toSorted());
  });

  test.each([0, 501])('a limit of %i is refused', async (limit) => {
    expect((await pull(limit)).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'limit',
    });
  });

  test('an order shown oddly is claimed all the same', async () => {
    const placed = [
      ...(await place(1, { shape: 'absent' })),
      ...(await place(1, { shape: 'null' })),
      ...(await place(1, { shape: 'newer' })),
      ...(await place(1, { shape: 'extra' })),
    ];
    expect(idsOf((await pull()).data.pullSupplierOrders)).toEqual(placed);
  });

  test('cut off, it is an error; what it had claimed is nobody’s until it counts as lost, and is found then', async () => {
    const placed = await place(2);
    await gateway.control('faults', { kind: 'reset_after', match: { path: '/api/admin/v2/orders-pull' } });
    expect(codeOf({ body: await pull() })).toBe('UPSTREAM_UNAVAILABLE');
    expect((await pull()).data.pullSupplierOrders).toEqual([]);
    const claims = async (): Promise<unknown[]> =>
      Promise.all(
        placed.map(async (id) => {
          const asked = 'query ($id: ID!) { supplierOrder(id: $id) { claimedAt } }';
          const { body } = await gateway.ask(asked, { id }, seller);
          return body.data.supplierOrder?.claimedAt ?? null;
        }),
      );
    expect(await claims()).toEqual([null, null]);
    clock.skip(PULL_LIMIT + 15_000);
    await until('both are found', async () => !(await claims()).includes(null));
    expect((await pull()).data.pullSupplierOrders).toEqual([]);
  });
});

describe('supplierOrderClaimed', () => {
  test('tells each claim once and in order, and resumes behind a cursor', async () => {
    const client = connect(gateway.websocket, seller);
    const heard = collect(client, WATCH);
    const open = async () =>
      /open_streams\{kind="supplierOrderClaimed"\} 1/.test(
        await (await fetch(`${gateway.url}/metrics`)).text(),
      );
    await until('the stream is open', open);
    const first = await place(3);
    await pull();
    await until('the three', () => heard.items.length === 3);
    await client.dispose();
    const missed = await place(2);
    await pull();

    const back = connect(gateway.websocket, seller);
    const cursor = heard.items[1]?.data.supplierOrderClaimed.claimCursor;
    const resumed = collect(back, WATCH, { after: cursor });
    await until('what was missed', () => resumed.items.length === 3);
    const last = await place(1);
    await pull();
    await until('the new one', () => resumed.items.length === 4);
    const ids = (items: typeof heard.items) => items.map(({ data }) => data.supplierOrderClaimed.id);
    expect(ids(heard.items)).toEqual(first);
    expect(ids(resumed.items)).toEqual([first[2], ...missed, ...last]);
    await back.dispose();
  });

  test('begins with what is open already where that is asked for, and never with what is closed', async () => {
    const { key } = await gateway.makeKey('newcomer', ['SUPPLIER']);
    const pullAs = () => gateway.ask('mutation { pullSupplierOrders { id } }', {}, key);
    const [closed, ...open] = await place(3);
    await pullAs();
    const input = { orderId: closed, lines: ['the only line'], status: 'COMPLETED' };
    const DELIVER = `mutation ($input: DeliverSupplierOrderInput!) {
      deliverSupplierOrder(input: $input) { __typename }
    }`;
    const delivered = await gateway.ask(DELIVER, { input }, key);
    expect(delivered.body.data.deliverSupplierOrder).toEqual({ __typename: 'DeliveryAccepted' });
    const client = connect(gateway.websocket, key);
    const heard = collect(client, WATCH_OPEN);
    // Those that were found again before are everybody's.
    const own = () =>
      heard.items
        .map(({ data }) => data.supplierOrderClaimed)
        .filter(({ id }) => [closed, ...open, ...next].includes(id));
    let next: string[] = [];
    await until('the open ones', () => own().length === open.length);
    next = await place(1);
    await pullAs();
    await until('the new one', () => own().length === open.length + 1);
    expect(own().map(({ id }) => id)).toEqual([...open, ...next]);
    // With a cursor there is nothing to begin with: exactly what follows it is told.
    const resumed = collect(client, WATCH_OPEN, { after: own()[1]?.claimCursor });
    await until('what follows', () => resumed.items.length === 1);
    expect(resumed.items[0]?.data.supplierOrderClaimed.id).toBe(next[0]);
    await client.dispose();
  });

  test("another supplier's claims are not told, but to an operator; a forged cursor is refused", async () => {
    const { key: other } = await gateway.makeKey('other-seller', ['SUPPLIER']);
    const clients = [other, gateway.key].map((key) => connect(gateway.websocket, key));
    const [others, operators] = clients.map((client) => collect(client, WATCH));
    const count = async () =>
      Number(
        /open_streams\{kind="supplierOrderClaimed"\} (\d+)/.exec(
          await (await fetch(`${gateway.url}/metrics`)).text(),
        )?.[1],
      );
    await until('both are open', async () => (await count()) === 2);
    const [id] = await place(1);
    await pull();
    await until('the operator hears', () => operators?.items.length === 1);
    expect(operators?.items[0]?.data.supplierOrderClaimed.id).toBe(id);
    expect(others?.items).toEqual([]);
    for (const client of clients) await client.dispose();

    const client = connect(gateway.websocket, seller);
    const forged = collect(client, WATCH, { after: 'forged' });
    expect(JSON.stringify(await forged.ended) + JSON.stringify(forged.items)).toContain('BAD_USER_INPUT');
    await client.dispose();
  });
});

describe('leases', () => {
  const lease = (id: string, at?: string) =>
    gateway.ask(
      'mutation ($id: ID!, $at: DateTime) { leaseSupplierOrder(orderId: $id, at: $at) { lastProcessTime leasedUntil } }',
      { id, at },
      seller,
    );
  const release = (id: string) =>
    gateway.ask(
      'mutation ($id: ID!) { releaseSupplierOrder(orderId: $id) { lastProcessTime leasedUntil } }',
      { id },
      seller,
    );
  const isListed = async (id: string): Promise<boolean> =>
    idsOf((await list({ first: 500, filter: { statuses: ['PROCESSING'] } })).nodes).includes(id);

  test('hide an order from listings for thirty minutes, until it is let go', async () => {
    const [id = ''] = await place(1);
    await pull();
    expect(await isListed(id)).toBe(true);
    const leased = (await lease(id)).body.data.leaseSupplierOrder;
    expect(Date.parse(leased.leasedUntil) - Date.parse(leased.lastProcessTime)).toBe(30 * 60_000);
    expect(await isListed(id)).toBe(false);
    expect((await release(id)).body.data.releaseSupplierOrder).toEqual({
      lastProcessTime: null,
      leasedUntil: null,
    });
    expect(await isListed(id)).toBe(true);
    const old = (await lease(id, '2020-01-01T00:00:00Z')).body.data.leaseSupplierOrder;
    expect(old).toEqual({
      lastProcessTime: expect.stringMatching(/^2020-01-01T00:00:00/),
      leasedUntil: null,
    });
  });

  test('of an order never seen are NOT_FOUND', async () => {
    for (const id of ['nothing', '..', 'a/b']) {
      expect(codeOf(await lease(id))).toBe('NOT_FOUND');
      expect(codeOf(await release(id))).toBe('NOT_FOUND');
    }
  });
});

describe('supplierOrders', () => {
  test('pages through a list that moves: nothing that stays is skipped or shown twice', async () => {
    const filter = { statuses: ['PENDING'], entityType: 'moving' };
    const placed = await place(40, { entityType: 'moving' });
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; ; page++) {
      const { nodes, pageInfo } = await list({ first: 7, after, filter });
      seen.push(...idsOf(nodes));
      expect(pageInfo.hasPreviousPage).toBe(page > 0);
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
      // Meanwhile the oldest leave the list, and new ones come to its end.
      if (page === 1) await pull(10);
      if (page === 2) placed.push(...(await place(3, { entityType: 'moving' })));
    }
    expect(seen).toEqual(placed);
  });

  test('filters are the API’s own; UNKNOWN and an empty list are refused with their field', async () => {
    const [pending] = await place(1, { subCategory: 'gmail', paymentStatus: 'pending' });
    const { nodes } = await list({ filter: { subCategory: 'gmail', paymentStatuses: ['PENDING'] } });
    expect(idsOf(nodes)).toEqual([pending]);
    for (const filter of [{ statuses: ['UNKNOWN'] }, { statuses: [] }]) {
      const answer = await gateway.ask(LIST, { filter }, seller);
      expect(answer.body.errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        field: 'statuses',
      });
    }
    const cursor = (await list({ first: 1 })).pageInfo.endCursor;
    expect(codeOf(await gateway.ask(LIST, { after: cursor, filter: { statuses: ['ERROR'] } }, seller))).toBe(
      'BAD_USER_INPUT',
    );
  });

  test('the supplier side takes the scope SUPPLIER, whatever is asked', async () => {
    const { key } = await gateway.makeKey('buyer');
    const asked = [
      gateway.ask(LIST, {}, key),
      gateway.ask(PULL, {}, key),
      gateway.ask('{ supplierOrder(id: "x") { id } }', {}, key),
      gateway.ask('{ supplierStatistics(since: "2020-01-01T00:00:00Z") { orders } }', {}, key),
      gateway.ask('{ deliveryPlan(orderId: "x", lines: []) { received } }', {}, key),
      gateway.ask('mutation { leaseSupplierOrder(orderId: "x") { id } }', {}, key),
      gateway.ask('mutation { releaseSupplierOrder(orderId: "x") { id } }', {}, key),
      gateway.ask(
        'mutation { deliverSupplierOrder(input: { orderId: "x", lines: ["a"] }) { __typename } }',
        {},
        key,
      ),
    ];
    for (const answer of await Promise.all(asked)) expect(codeOf(answer)).toBe('FORBIDDEN');
  });
});
