import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, startGateway, type TestGateway } from '../api/support/gateway.ts';

/** Each would lead elsewhere, were it put into an address as it is. */
const IDS = [
  '../balance',
  '1?x=1',
  '1/../../balance',
  '%2e%2e%2fbalance',
  '1#x',
  '..',
  '.',
  '1;x=1',
  '1\r\nX-Evil: 1',
  '０１',
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    POLL_INTERVAL_SECONDS: '0',
    RATE_LIMIT_PER_SECOND: '0',
    BALANCE_CHECK_SECONDS: '86400',
    WEBHOOK_CHECK_SECONDS: '86400',
  });
});
afterAll(() => gateway?.close());

interface Request {
  readonly method: string;
  readonly path: string;
}

async function requests(): Promise<readonly Request[]> {
  const ledger = (await gateway.control('ledger')) as { readonly requests: readonly Request[] };
  return ledger.requests;
}

test('what is asked upstream is seen here', async () => {
  const before = await requests();
  await gateway.ask('{ balance(refresh: true) { amount } }');
  expect((await requests()).slice(before.length)).toMatchObject([
    { path: expect.stringContaining('balance') },
  ]);
});

describe.each([
  ['a number that is rented', 'query ($id: ID!) { order(id: $id, refresh: true) { id } }'],
  ['a number to cancel', 'mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename } }'],
  ['a number to finish', 'mutation ($id: ID!) { finishOrder(orderId: $id) { __typename } }'],
  ['a number to resend for', 'mutation ($id: ID!) { resendSms(orderId: $id) { __typename } }'],
  ['a quote', 'query ($id: ID!) { reactivationQuote(orderId: $id) { __typename } }'],
  ['an order to lease', 'mutation ($id: ID!) { leaseSupplierOrder(orderId: $id) { id } }'],
  [
    'an order to deliver on',
    'mutation ($id: ID!) { deliverSupplierOrder(input: { orderId: $id, lines: ["a"] }) { __typename } }',
  ],
])('%s', (_what, query) => {
  test.each(IDS)('whose id is %j is asked for nowhere', async (id) => {
    const before = await requests();
    const answer = await gateway.ask(query, { id });
    const found = Object.values(answer.body.data ?? {}).filter((value) => value !== null);
    expect([
      found,
      ['BAD_USER_INPUT', 'NOT_FOUND', undefined].includes(codeOf(answer) as string | undefined),
    ]).toEqual([[], true]);
    expect((await requests()).slice(before.length)).toEqual([]);
  });
});
