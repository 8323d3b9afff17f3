import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';

/** Asked so often, a document has been compiled; and of a catalog page, the rows have been printed, and the answer kept. */
const OFTEN = 8;

const pageShape = z.object({
  catalogProducts: z.object({
    asOf: z.string(),
    nodes: z.array(z.object({ id: z.string(), asOf: z.string() })),
    pageInfo: z.object({ endCursor: z.string() }),
  }),
});
type Page = z.infer<typeof pageShape>['catalogProducts'];

const CREATE = 'mutation C($input: CreateOrderInput!) { createOrder(input: $input) { __typename } }';

describe('a document asked often is answered as it was the first time', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const cases: readonly [what: string, query: string, variables?: unknown, accept?: string][] = [
    ['a query', '{ viewer { caller scopes } }'],
    ['a query in the newer type', '{ viewer { caller } }', undefined, 'application/graphql-response+json'],
    [
      'fragments and aliases',
      'fragment V on Viewer { caller } query Q { a: viewer { ...V __typename } b: viewer { ...V } }',
    ],
    [
      'directives',
      'query Q($yes: Boolean!) { viewer { caller @skip(if: $yes) scopes @include(if: $yes) } }',
      { yes: true },
    ],
    [
      'a fragment that is left out once, and not once more',
      'query Q($no: Boolean!) { viewer { ...V @include(if: $no) ...V } } fragment V on Viewer { caller }',
      { no: false },
    ],
    [
      'null where a directive needs a value',
      'query Q($yes: Boolean = true) { viewer { caller @skip(if: $yes) scopes } }',
      { yes: null },
    ],
    [
      'null where an argument needs a value',
      'query S($group: OrderStatisticsGroup) { orderStatistics(since: "2026-01-01T00:00:00Z", groupBy: $group) { key } }',
      { group: null },
    ],
    [
      'null by default where an argument needs a value',
      'query S($group: OrderStatisticsGroup = null) { orderStatistics(since: "2026-01-01T00:00:00Z", groupBy: $group) { key } }',
    ],
    [
      'null where a list needs a value',
      'query P($line: String = "a") { deliveryPlan(orderId: "1", lines: [$line]) { received } }',
      { line: null },
    ],
    [
      'null where a field of an input needs a value',
      'mutation C($quantity: Int) { createOrder(input: {businessJobId: "job", catalogProductId: 1, quantity: $quantity}) { __typename } }',
      { quantity: null },
    ],
    [
      'left out where an argument has a default',
      'query S($group: OrderStatisticsGroup) { orderStatistics(since: "2026-01-01T00:00:00Z", groupBy: $group) { key } }',
      {},
    ],
    [
      'mutations in a fragment before another',
      'mutation { ...Cancel resendSms(orderId: "one") { __typename } } fragment Cancel on Mutation { cancelOrder(orderId: "two") { __typename } }',
    ],
    ['introspection', '{ __type(name: "Order") { name fields { name } } }'],
    [
      'a catalog page',
      '{ catalogProducts(first: 3) { nodes { id name price country { name } } totalCount } }',
    ],
    [
      'a catalog page by other names, its rows in the middle',
      '{ nodes: catalogProducts(first: 2) { totalCount rows: nodes { __typename id } pageInfo { endCursor } } }',
    ],
    [
      'a catalog page where something else bears the name of its rows',
      '{ catalogProducts(first: 2) { pageInfo { nodes: endCursor } nodes { id asOf } edges { cursor node { id } } } }',
    ],
    [
      'a catalog page of fragments',
      'fragment P on CatalogProduct { id name } { catalogProducts(first: 2) { nodes { ...P platform { name } } } }',
    ],
    [
      'a catalog page whose rows hang upon a variable',
      'query P($no: Boolean!) { catalogProducts(first: 2) { nodes { id name @skip(if: $no) } } }',
      { no: true },
    ],
    ['an empty catalog page', '{ catalogProducts(filter: {maxPrice: 0}) { nodes { id } totalCount } }'],
    ['an unknown order', 'query O($id: ID!) { order(id: $id) { id } }', { id: '1' }],
    [
      'bad input, where it stands',
      'query P($n: Int) {\n  catalogProducts(first: $n) {\n    totalCount\n  }\n}',
      { n: 1_000 },
    ],
    [
      'a variable of a wrong type',
      'query O($id: ID!, $r: Boolean!) { order(id: $id, refresh: $r) { id } }',
      { id: '1', r: 'yes' },
    ],
    ['a variable left out', 'query O($id: ID!) { order(id: $id) { id } }', {}],
    [
      'an input with defaults left out',
      CREATE,
      { input: { businessJobId: 'job', catalogProductId: 1, reviewThresholdAt: '2020-01-01T00:00:00Z' } },
    ],
    ['an input that lacks what it needs', CREATE, { input: { businessJobId: 'job' } }],
    [
      'an input with a field too much',
      CREATE,
      { input: { businessJobId: 'job', catalogProductId: 1, more: 1 } },
    ],
    [
      'a list where an input object belongs',
      'query O($filter: OrderFilter) { orders(filter: $filter) { totalCount } }',
      { filter: [] },
    ],
    [
      'a list where an input object belongs within another',
      CREATE.replace('C(', 'Routed('),
      { input: { businessJobId: 'job', catalogProductId: 1, routing: [] } },
    ],
    ['an invalid document', '{ viewer { caler } }'],
    ['a syntax error', '{ viewer {'],
    ['a mutation that is refused', 'mutation { cancelOrder(orderId: "1") { __typename } }'],
    ['a subscription without a stream', 'subscription { smsReceived { revision } }', {}, 'application/json'],
  ];

  test.each(cases)('%s', async (_what, query, variables, accept) => {
    const answers: unknown[] = [];
    for (let time = 0; time < OFTEN; time++) {
      const { status, headers, body } = await gateway.ask(
        query,
        variables,
        gateway.key,
        accept === undefined ? {} : { accept },
      );
      const { date, 'x-request-id': requestId, ...others } = Object.fromEntries(headers);
      answers.push({ status, others, body });
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('scopes are still looked at, of each caller', async () => {
    const { key } = await gateway.makeKey('supplier', ['SUPPLIER']);
    const query = '{ catalogFacets { countries { id } } }';
    for (let time = 0; time < OFTEN; time++) expect((await gateway.ask(query)).body.errors).toBeUndefined();
    expect((await gateway.ask(query, {}, key)).body.errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('an answer that was kept is for those who may ask for it, in the way it was asked, and of the catalog as last read', async () => {
    const query = '{ catalogProducts(first: 2) { asOf nodes { id } } }';
    const asOf = async (): Promise<unknown> => (await gateway.ask(query)).body.data;
    const before = await asOf();
    for (let time = 1; time < OFTEN; time++) expect(await asOf()).toEqual(before);

    const { key } = await gateway.makeKey('deliverer', ['SUPPLIER']);
    expect((await gateway.ask(query, {}, key)).body.errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    expect((await gateway.ask(query, {}, 'sb_unknown')).status).toBe(401);
    const form = await gateway.ask(query, {}, gateway.key, { 'content-type': 'text/plain' });
    expect(form.status).toBe(415);

    await gateway.ask('{ catalogProducts(refresh: true) { asOf } }');
    expect(await asOf()).not.toEqual(before);
  });

  test('rows are those of the catalog as last read, and cursors those of their caller', async () => {
    const query = '{ catalogProducts(first: 2) { asOf nodes { id asOf } pageInfo { endCursor } } }';
    const pageOf = async (key = gateway.key): Promise<Page> => {
      const { body } = await gateway.ask(query, {}, key);
      return pageShape.parse(body.data).catalogProducts;
    };
    let before = await pageOf();
    for (let time = 1; time < OFTEN; time++) before = await pageOf();
    const { key } = await gateway.makeKey('another', ['BUYER']);
    expect((await pageOf(key)).pageInfo.endCursor).not.toBe(before.pageInfo.endCursor);

    await gateway.ask('{ catalogProducts(refresh: true) { asOf } }');
    for (let time = 0; time < 2; time++) {
      const after = await pageOf();
      expect(Date.parse(after.asOf)).toBeGreaterThan(Date.parse(before.asOf));
      for (const { asOf } of after.nodes)
        expect(Date.parse(asOf)).toBeGreaterThanOrEqual(Date.parse(after.asOf));
      expect(after.nodes.map(({ id }) => id)).toEqual(before.nodes.map(({ id }) => id));
    }
  });

  test('a name that is none makes no two halves one document', async () => {
    const query = '{\nviewer { caller } }';
    for (let time = 0; time < OFTEN; time++) expect((await gateway.ask(query)).body.errors).toBeUndefined();
    const [operationName, half] = query.split('\n');
    const response = await fetch(gateway.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ operationName, query: half }),
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  test('by GET a mutation is never executed, however often it was sent', async () => {
    const query = 'mutation { cancelOrder(orderId: "1") { __typename } }';
    for (let time = 0; time < OFTEN; time++) await gateway.ask(query);
    const address = `${gateway.graphql}?query=${encodeURIComponent(query)}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${gateway.key}` } });
    expect(response.status).toBe(405);
  });
});
