import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, startGateway, type TestGateway } from './support/gateway.ts';
import { collect, connect, openEvents } from './support/sockets.ts';

const deep = (levels: number): string =>
  `{ orders { nodes { ${'attempt { orders { '.repeat(levels)} id ${'} } '.repeat(levels)} } } }`;
const CHARGING = 'createOrder(input: { businessJobId: "x", catalogProductId: 1 }) { __typename }';

const refused: [what: string, query: string][] = [
  ['a query of depth 50', deep(24)],
  ['a thousand aliases', `{ ${Array.from({ length: 1000 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
  ['sixty aliases', `{ ${Array.from({ length: 60 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
  ['five thousand repeated fields', `{ viewer { ${'caller '.repeat(5000)} } }`],
  ['three hundred directives', `{ viewer { caller ${'@include(if: true) '.repeat(300)} } }`],
  ['fragments that double each other', doubling(25)],
  [
    'a deep query in a fragment named like introspection',
    `query { ...__schema } fragment __schema on Query ${deep(24)}`,
  ],
  [
    'pages of pages',
    '{ orders(first: 100) { nodes { attempt { orders { attempt { orders { attempt { orders { id status amount } } } } } } } } }',
  ],
  ['two mutations that charge', `mutation { a: ${CHARGING} b: ${CHARGING} }`],
  [
    'two that charge, one in a fragment',
    `mutation { a: ${CHARGING} ...F } fragment F on Mutation { ${CHARGING} }`,
  ],
];

function doubling(times: number): string {
  const fragments = Array.from(
    { length: times },
    (_, n) => `fragment F${n} on Viewer { ...F${n + 1} ...F${n + 1} }`,
  );
  return `{ viewer { ...F0 } } ${fragments.join(' ')} fragment F${times} on Viewer { caller }`;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe.each(refused)('%s', (_what, query) => {
  test('is QUERY_TOO_COMPLEX over HTTP (400, whatever is accepted), SSE and WebSocket', async () => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await gateway.ask(query, {}, gateway.key, { accept });
      expect(answer.status).toBe(400);
      expect(codeOf(answer)).toBe('QUERY_TOO_COMPLEX');
      expect(answer.body.data).toBeUndefined();
    }
    const events = await openEvents(gateway.graphql, gateway.key, query);
    await events.ended;
    expect(events.status === 400 || codeOf({ body: events.items[0] ?? {} }) === 'QUERY_TOO_COMPLEX').toBe(
      true,
    );
    const client = connect(gateway.websocket, gateway.key);
    expect(await collect(client, query).ended).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
    await client.dispose();
  });
});

test('nothing was ordered by any of them', async () => {
  expect(await gateway.control('ledger')).toMatchObject({ charges: [] });
});

describe('what must pass', () => {
  test.each([
    [
      'the introspection query of GraphiQL',
      getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true }),
    ],
    [
      'a whole page with all there is to it',
      `{ orders(first: 100) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
      id status phoneNumber amount otpCode otpMessage smsRevision expiresAt canCancel canFinish canResend createdAt asOf
      smsRevisions { revision message otpCode suggestedCode source receivedAt }
      product { id name price country { code name emoji } platform { code name } }
      attempt { businessJobId state sends events { version state reason at } } } } } }`,
    ],
    [
      'a page of 500 supplier orders',
      '{ supplierOrders(first: 500) { nodes { id status quantity deliveredCount remaining deliveries { id state lines attempts } } } }',
    ],
    [
      'one mutation that charges, beside others',
      `mutation { ${CHARGING} cancelOrder(orderId: "1") { __typename } }`,
    ],
  ])('%s', async (_what, query) => {
    expect(codeOf(await gateway.ask(query))).not.toBe('QUERY_TOO_COMPLEX');
  });

  test('a fragment cycle is refused as invalid, and ends', async () => {
    const answer = await gateway.ask(
      '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
    );
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
  });

  test('a page past its bounds is bad input, and no matter of cost', async () => {
    const answer = await gateway.ask('{ orders(first: 1000000000) { nodes { id } } }');
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'first' });
  });
});

describe('errors about the request', () => {
  test.each([
    ['syntax', '{ viewer {', undefined, 'BAD_USER_INPUT'],
    ['an unknown field', '{ nothing }', undefined, 'BAD_USER_INPUT'],
    [
      'a variable of a wrong type',
      'query ($n: Int!) { orders(first: $n) { totalCount } }',
      { n: 'x' },
      'BAD_USER_INPUT',
    ],
    ['a missing variable', 'query ($n: Int!) { orders(first: $n) { totalCount } }', {}, 'BAD_USER_INPUT'],
  ])('%s: 400 in the newer type', async (_what, query, variables, code) => {
    const answer = await gateway.ask(query, variables, gateway.key, {
      accept: 'application/graphql-response+json',
    });
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe(code);
    expect(answer.text).not.toContain('"http"');
  });

  test('a subscription asked for without a stream is 406, and nothing stays open', async () => {
    const answer = await gateway.ask('subscription { smsReceived { revision } }', {}, gateway.key, {
      accept: 'application/json',
    });
    expect(answer.status).toBe(406);
    const metrics = await fetch(`${gateway.url}/metrics`).then((response) => response.text());
    expect(metrics).not.toMatch(/switchboard_open_streams\{[^}]*\} [1-9]/);
  });
});

describe('with introspection off', () => {
  let closed: TestGateway;
  beforeAll(async () => {
    closed = await startGateway({ INTROSPECTION: 'off', GRAPHIQL: 'off' });
  });
  afterAll(() => closed.close());

  test.each(['{ __schema { types { name } } }', '{ __type(name: "Query") { name } }'])(
    '%s is refused',
    async (query) => {
      expect(codeOf(await closed.ask(query))).toBe('BAD_USER_INPUT');
      const client = connect(closed.websocket, closed.key);
      expect(await collect(client, query).ended).toContainEqual(
        expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT' } }),
      );
      await client.dispose();
    },
  );

  test.each([
    ['a field', '{ vewer { caller } }', undefined],
    ['an argument', '{ orders(frst: 1) { totalCount } }', undefined],
    ['a type', '{ viewer { ... on Viewr { caller } } }', undefined],
    ['a value', '{ supplierOrders(filter: { statuses: [PENDNG] }) { nodes { id } } }', undefined],
    [
      'a variable',
      'query ($f: SupplierOrderFilter) { supplierOrders(filter: $f) { nodes { id } } }',
      { f: { statuses: ['PENDNG'] } },
    ],
  ])('the name of %s is not guessed', async (_what, query, variables) => {
    const answer = await closed.ask(query, variables);
    expect(answer.body.errors?.length).toBeGreaterThan(0);
    expect(answer.text).not.toContain('Did you mean');
  });

  test('the name of a field is guessed where introspection is on', async () => {
    expect((await gateway.ask('{ vewer { caller } }')).text).toContain('Did you mean');
  });

  test('there is no GraphiQL', async () => {
    const response = await fetch(closed.graphql, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(401);
  });
});
