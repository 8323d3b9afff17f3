import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';

/** Asked so often, a document has been compiled. */
const OFTEN = 4;

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
    ['introspection', '{ __type(name: "Order") { name fields { name } } }'],
    [
      'a catalog page',
      '{ catalogProducts(first: 3) { nodes { id name price country { name } } totalCount } }',
    ],
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

  test('by GET a mutation is never executed, however often it was sent', async () => {
    const query = 'mutation { cancelOrder(orderId: "1") { __typename } }';
    for (let time = 0; time < OFTEN; time++) await gateway.ask(query);
    const address = `${gateway.graphql}?query=${encodeURIComponent(query)}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${gateway.key}` } });
    expect(response.status).toBe(405);
  });
});
