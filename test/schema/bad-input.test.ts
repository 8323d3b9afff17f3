import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { codedError } from '../../src/resolvers/coded-error.ts';
import { anOrder } from '../support/values.ts';
import { createWorld, type Variables } from './support/world.ts';

const job = 'businessJobId: "job-1", catalogProductId: 88';
const create = 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { __typename } }';
const input = (more: Variables = {}): Variables => ({
  input: { businessJobId: 'job-1', catalogProductId: 88, ...more },
});
const createWith = (more: string): string =>
  `mutation { createOrder(input: { ${job}, ${more} }) { __typename } }`;
const catalog = 'query ($filter: CatalogFilter) { catalogProducts(filter: $filter) { totalCount } }';
const statistics = 'query ($t: DateTime!) { orderStatistics(since: $t) { orders } }';

type Case = [title: string, document: string, variables: Variables, expected: string];

const foundByGraphql: Case[] = [
  ['DateTime variable', statistics, { t: 'tomorrow' }, 'since'],
  ['DateTime without offset', statistics, { t: '2026-03-16T10:30:00' }, 'since'],
  ['DateTime of another type', statistics, { t: 5 }, 'since'],
  ['DateTime literal', '{ orderStatistics(since: "tomorrow") { orders } }', {}, 'since'],
  ['DateTime literal of another kind', '{ orderStatistics(since: 5) { orders } }', {}, 'since'],
  ['DateTime in an input variable', create, input({ reviewThresholdAt: 'soon' }), 'reviewThresholdAt'],
  ['DateTime in an input literal', createWith('reviewThresholdAt: "soon"'), {}, 'reviewThresholdAt'],
  ['required variable missing', statistics, {}, 'since'],
  ['required variable null', statistics, { t: null }, 'since'],
  ['required input field missing in a variable', create, { input: { catalogProductId: 1 } }, 'businessJobId'],
  [
    'required input field missing in a literal',
    'mutation { createOrder(input: { catalogProductId: 1 }) { __typename } }',
    {},
    'businessJobId',
  ],
  ['required argument missing', '{ order { id } }', {}, 'id'],
  ['unknown argument', '{ order(id: 1, colour: 2) { id } }', {}, 'colour'],
  ['unknown input field in a variable', create, input({ qty: 1 }), 'qty'],
  ['unknown input field in a literal', createWith('qty: 1'), {}, 'qty'],
  [
    'Int too large in a variable',
    'query ($page: Int) { orders(first: $page) { totalCount } }',
    { page: 3e9 },
    'first',
  ],
  ['Int too large in a literal', '{ orders(first: 3000000000) { totalCount } }', {}, 'first'],
  ['Int with a fraction', create, input({ quantity: 1.5 }), 'quantity'],
  ['Int as text', create, input({ quantity: '1' }), 'quantity'],
  ['Int null where it must not be', create, input({ quantity: null }), 'quantity'],
  ['Int null in a literal', createWith('quantity: null'), {}, 'quantity'],
  [
    'Boolean null by a variable that has a default',
    'query ($r: Boolean) { balance(refresh: $r) { amount } }',
    { r: null },
    'refresh',
  ],
  ['enum value unknown in a variable', create, input({ routing: { policy: 'DEAREST' } }), 'policy'],
  ['enum value unknown in a literal', createWith('routing: { policy: DEAREST }'), {}, 'policy'],
  [
    'enum in a list variable',
    'query ($s: [OrderStatus!]) { orders(filter: { statuses: $s }) { totalCount } }',
    { s: ['ACTIVE', 'GONE'] },
    'statuses',
  ],
  [
    'enum in a list literal',
    '{ orders(filter: { statuses: [ACTIVE, GONE] }) { totalCount } }',
    {},
    'statuses',
  ],
  ['Int in a list inside of a variable', catalog, { filter: { countryIds: [6, 'x'] } }, 'countryIds'],
  ['Rupiah with a fraction', create, input({ maxUnitPrice: 0.5 }), 'maxUnitPrice'],
  ['Rupiah beyond the safe range', create, input({ maxUnitPrice: 2 ** 53 }), 'maxUnitPrice'],
  ['Rupiah literal beyond the safe range', createWith('maxUnitPrice: 9007199254740993'), {}, 'maxUnitPrice'],
  ['Rupiah literal that is no integer', createWith('maxUnitPrice: 1e3'), {}, 'maxUnitPrice'],
  ['Rupiah as text', createWith('maxUnitPrice: "5"'), {}, 'maxUnitPrice'],
  [
    'a variable named by the client alone',
    'query ($a: Boolean!, $b: ID!) { order(id: $b, refresh: $a) { id } }',
    { a: true },
    'id',
  ],
  ['a variable of the wrong type', 'query ($id: Int!) { order(id: $id) { id } }', { id: 7 }, 'id'],
  [
    'a variable within a list',
    'query ($one: Int!) { catalogProducts(filter: { countryIds: [6, $one] }) { totalCount } }',
    {},
    'countryIds',
  ],
];

const foundByResolvers: Case[] = [
  ['quantity 0', createWith('quantity: 0'), {}, 'quantity'],
  ['quantity 101', create, input({ quantity: 101 }), 'quantity'],
  ['blank job', create, input({ businessJobId: ' ' }), 'businessJobId'],
  ['job of 201 characters', create, input({ businessJobId: 'x'.repeat(201) }), 'businessJobId'],
  ['job with a line break', create, input({ businessJobId: 'a\nb' }), 'businessJobId'],
  ['key of another alphabet', create, input({ idempotencyKey: 'a b' }), 'idempotencyKey'],
  ['empty key', create, input({ idempotencyKey: '' }), 'idempotencyKey'],
  ['key of 129 characters', create, input({ idempotencyKey: 'k'.repeat(129) }), 'idempotencyKey'],
  ['negative maxUnitPrice', create, input({ maxUnitPrice: -1 }), 'maxUnitPrice'],
  [
    'maxUnitPrice whose total is unsafe',
    create,
    input({ maxUnitPrice: Number.MAX_SAFE_INTEGER, quantity: 2 }),
    'maxUnitPrice',
  ],
  ['negative minPrice', create, input({ routing: { minPrice: -1 } }), 'minPrice'],
  ['empty preferProvider', create, input({ routing: { preferProvider: '' } }), 'preferProvider'],
  ['long preferProvider', create, input({ routing: { preferProvider: 'p'.repeat(65) } }), 'preferProvider'],
  [
    'preferProvider with a control character',
    create,
    input({ routing: { preferProvider: 'a\u0007' } }),
    'preferProvider',
  ],
  ['orders first 0', '{ orders(first: 0) { totalCount } }', {}, 'first'],
  ['orders first 101', '{ orders(first: 101) { totalCount } }', {}, 'first'],
  ['catalog first -1', '{ catalogProducts(first: -1) { totalCount } }', {}, 'first'],
  ['attempts first 1e9', '{ createAttempts(first: 1000000000) { totalCount } }', {}, 'first'],
  ['a cursor out of the air', '{ orders(after: "MTIz") { totalCount } }', {}, 'after'],
  ['an empty cursor', '{ orders(after: "") { totalCount } }', {}, 'after'],
  ['a cursor that is no base64url', '{ catalogProducts(after: "%%%") { totalCount } }', {}, 'after'],
  ['501 countries', catalog, { filter: { countryIds: Array.from({ length: 501 }, () => 6) } }, 'countryIds'],
  [
    '501 platforms',
    catalog,
    { filter: { platformIds: Array.from({ length: 501 }, () => 6) } },
    'platformIds',
  ],
  [
    '501 operators',
    catalog,
    { filter: { operatorIds: Array.from({ length: 501 }, () => 6) } },
    'operatorIds',
  ],
  ['a search of 101 characters', catalog, { filter: { search: 'x'.repeat(101) } }, 'search'],
  ['negative maxPrice', catalog, { filter: { maxPrice: -1 } }, 'maxPrice'],
  [
    'job filter that no job can have',
    '{ orders(filter: { businessJobId: "" }) { totalCount } }',
    {},
    'businessJobId',
  ],
  [
    'phone number with NUL',
    '{ orders(filter: { phoneNumber: "\\u0000" }) { totalCount } }',
    {},
    'phoneNumber',
  ],
  ['a pair that is none', '{ exchangeRate(pair: "usd") { rate } }', {}, 'pair'],
];

describe('bad input is BAD_USER_INPUT and names its field', () => {
  it.each(foundByGraphql)('as GraphQL finds it: %s', async (_title, document, variables, field) => {
    const { errors } = await createWorld().ask(document, variables);
    expect(errors).toEqual([`BAD_USER_INPUT ${field}`]);
  });

  it.each(foundByResolvers)('as a resolver finds it: %s', async (_title, document, variables, field) => {
    const world = createWorld();
    const { errors } = await world.ask(document, variables);
    expect(errors).toEqual([`BAD_USER_INPUT ${field}`]);
    expect(world.calls).toEqual([]);
  });

  it.each([
    ['a document that does not parse', '{ order(id: '],
    ['a field that is not there', '{ orderz { id } }'],
    ['a fragment that is used nowhere', '{ viewer { caller } } fragment F on Order { id }'],
  ])('without a field where none is at fault: %s', async (_title, document) => {
    expect((await createWorld().ask(document)).errors).toEqual(['BAD_USER_INPUT']);
  });
});

describe('subscriptions', () => {
  it.each([
    [
      'afterRevision below -1',
      'subscription { smsReceived(afterRevision: -2) { revision } }',
      'afterRevision',
    ],
    [
      'a cursor beside an order',
      'subscription { smsReceived(orderId: 7, after: "x") { revision } }',
      'after',
    ],
    ['a cursor of another list', 'subscription { smsReceived(after: "x") { revision } }', 'after'],
    ['text for a number', 'subscription { smsReceived(afterRevision: "x") { revision } }', 'afterRevision'],
  ])('refuse %s', async (_title, document, field) => {
    const { errors } = await createWorld().follow(document);
    expect(errors).toEqual([`BAD_USER_INPUT ${field}`]);
  });
});

describe('codedError', () => {
  it('keeps what a resolver coded', () => {
    const error = new GraphQLError('no', { extensions: { code: 'NOT_FOUND' } });
    expect(codedError(error)).toBe(error);
  });

  it('leaves what a resolver threw without a code, to be masked', () => {
    const thrown = new GraphQLError('secret', { originalError: new Error('secret') });
    expect(codedError(thrown).extensions).toEqual({});
  });

  it("leaves a wrong value of a resolver's to be masked", async () => {
    const world = createWorld();
    // GraphQL's own complaint about it is a GraphQLError without a code, as one about an argument is.
    world.rows.orders = [anOrder({ smsRevision: 2 ** 40 })];
    expect((await world.ask('{ order(id: 7) { smsRevision } }')).errors).toEqual(['masked']);
  });

  it('takes the names that other servers give to bad documents for its own', () => {
    for (const code of ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']) {
      const error = new GraphQLError('Syntax Error', { extensions: { code, http: { status: 400 } } });
      expect(codedError(error).extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 400 } });
    }
  });

  it('changes nothing the second time', () => {
    const error = new GraphQLError('Syntax Error');
    expect(codedError(codedError(error)).extensions).toEqual({ code: 'BAD_USER_INPUT' });
  });
});
