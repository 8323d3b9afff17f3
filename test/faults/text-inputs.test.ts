import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  OperationTypeNode,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/resolvers/index.ts';
import { codeOf, startGateway, type TestGateway } from '../api/support/gateway.ts';
import { must } from '../support/values.ts';

/** Texts that no well-meaning client sends, each of which has broken something somewhere. */
const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' \t ',
  NUL: 'a\u0000b',
  'a line break for a header': 'a\r\nX-Evil: 1',
  'half a surrogate pair': 'a\ud800b',
  'bidirectional marks': 'a\u202egnirts\u2066',
  'escape sequences of terminals': '\u001b[2J\u001b]0;x\u0007',
  'wildcards of SQL': "%_' or 1=1 --",
  'a path': '../../balance?x=1#y',
  'a prototype': '__proto__',
  'a formula': '=cmd|"/c calc"!A1',
  markup: '<script>alert(1)</script>',
  'a large number': '9'.repeat(400),
  'a long text': 'x'.repeat(100_000),
  'emoji beyond one unit': '👩‍👩‍👧‍👦'.repeat(300),
};
const NUMBERS = [-1, 0, 2 ** 31 - 1, -(2 ** 31)];
const ALLOWED = ['BAD_USER_INPUT', 'NOT_FOUND', 'UPSTREAM_UNAVAILABLE', undefined];

type Input = GraphQLArgument | GraphQLInputField;
interface Place {
  readonly name: string;
  readonly query: string;
  /** What stands in the place's stead; all else is as it should be. */
  variables(value: unknown): Record<string, unknown>;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0', RATE_LIMIT_PER_SECOND: '0' });
});
afterAll(() => gateway?.close());

const bare = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);

function sample(type: GraphQLInputType): unknown {
  const own = bare(type);
  if (isListType(own)) return [sample(own.ofType)];
  if (isEnumType(own)) return own.getValues()[0]?.name;
  if (isInputObjectType(own)) {
    const required = Object.values(own.getFields()).filter(isRequired);
    return Object.fromEntries(required.map((field) => [field.name, sample(field.type)]));
  }
  const samples: Record<string, unknown> = {
    Int: 1,
    Boolean: false,
    DateTime: '2026-01-01T00:00:00Z',
    Rupiah: 1,
  };
  return samples['name' in own ? own.name : ''] ?? '1';
}

function isRequired({ type, defaultValue }: Input): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

/** Every place in a field's arguments where a text, or a number, stands. */
function placesOf(
  operation: OperationTypeNode,
  field: GraphQLField<unknown, unknown>,
  kinds: readonly string[],
): Place[] {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const query = `${operation} Op(${declared}) { ${field.name}(${passed}) ${selection} }`;
  const defaults = Object.fromEntries(
    field.args.filter(isRequired).map((arg) => [arg.name, sample(arg.type)]),
  );
  return field.args.flatMap((arg) =>
    leavesOf(arg.type, kinds).map((path) => ({
      name: `${field.name}(${[arg.name, ...path].join('.')})`,
      query,
      variables: (value) => ({ ...defaults, [arg.name]: put(arg.type, path, value) }),
    })),
  );
}

function leavesOf(type: GraphQLInputType, kinds: readonly string[]): string[][] {
  const own = bare(type);
  if (isListType(own)) return leavesOf(own.ofType, kinds);
  if (isInputObjectType(own)) {
    return Object.values(own.getFields()).flatMap((field) =>
      leavesOf(field.type, kinds).map((path) => [field.name, ...path]),
    );
  }
  return kinds.includes(String(own)) ? [[]] : [];
}

function put(type: GraphQLInputType, path: readonly string[], value: unknown): unknown {
  const own = bare(type);
  if (isListType(own)) return [put(own.ofType, path, value)];
  const [name, ...rest] = path;
  if (name === undefined || !isInputObjectType(own)) return value;
  const inner = own.getFields()[name];
  if (inner === undefined) throw new Error(`no field ${name}`);
  return Object.assign({}, sample(own), { [name]: put(inner.type, rest, value) });
}

function allPlaces(...kinds: readonly string[]): Place[] {
  const roots: [OperationTypeNode, ReturnType<typeof schema.getQueryType>][] = [
    [OperationTypeNode.QUERY, schema.getQueryType()],
    [OperationTypeNode.MUTATION, schema.getMutationType()],
    [OperationTypeNode.SUBSCRIPTION, schema.getSubscriptionType()],
  ];
  return roots.flatMap(([operation, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) => placesOf(operation, field, kinds)),
  );
}

async function judge(place: Place, value: unknown, what: string): Promise<void> {
  const isStream = place.query.startsWith('subscription');
  const controller = new AbortController();
  const response = await fetch(gateway.graphql, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.key}`,
      ...(isStream && { accept: 'text/event-stream' }),
    },
    body: JSON.stringify({ query: place.query, variables: place.variables(value) }),
  });
  if (isStream && response.status === 200) {
    // Accepted or refused in the first event: a stream that waits is fine, one that dies is not.
    controller.abort();
    return;
  }
  const text = await response.text();
  const body = JSON.parse(isStream ? must(/^data: (.+)$/m.exec(text)?.[1]) : text);
  expect([200, 400], `${place.name} with ${what}`).toContain(response.status);
  expect(ALLOWED, `${place.name} with ${what}: ${JSON.stringify(body).slice(0, 300)}`).toContain(
    codeOf({ body }),
  );
}

describe('a text that nobody should send, in every place that takes one', () => {
  const places = allPlaces('String', 'ID');

  test('there are many', () => {
    expect(places.length).toBeGreaterThan(35);
  });

  test.each(places)('$name', async (place) => {
    for (const [what, text] of Object.entries(TEXTS)) await judge(place, text, what);
  });
});

describe('a number past its bounds, in every place that takes one', () => {
  test.each(allPlaces('Int', 'Rupiah'))('$name', async (place) => {
    for (const number of NUMBERS) await judge(place, number, String(number));
  });
});

describe('an instant past all times, in every place that takes one', () => {
  test.each(allPlaces('DateTime'))('$name', async (place) => {
    for (const text of [
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999+14:00',
      '+275760-09-13T00:00:00Z',
      '2026-02-30T00:00:00Z',
      'now',
    ])
      await judge(place, text, text);
  });
});

test('nothing of it was a bug, ended the process or changed a prototype', async () => {
  expect(gateway.log.filter((line) => line.includes('unexpected error'))).toEqual([]);
  expect((await gateway.ask('{ viewer { caller } }')).status).toBe(200);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('the address of a webhook holds no line break and no half of a character', async () => {
  for (const url of [
    'https://a\n.example/hook',
    'https://a.example/\ud800',
    'https://a.example/ b',
    '\thttps://a.example/',
  ]) {
    const answer = await gateway.ask(
      'mutation ($url: String!) { connectUpstreamWebhook(url: $url) { url } }',
      { url },
    );
    expect(answer.body.errors?.[0]?.extensions, JSON.stringify(url)).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'url',
    });
  }
});

test('first and last at once are refused: no list goes backwards', async () => {
  const answer = await gateway.ask('{ orders(first: 1, last: 1) { totalCount } }');
  expect(codeOf(answer)).toBe('BAD_USER_INPUT');
});
