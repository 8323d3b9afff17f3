import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy, cheapest, sayTo } from './support/buying.ts';
import { codeOf, startGateway, type TestGateway, until } from './support/gateway.ts';

const FIELDS = 'url secretSet consecutiveFailures disabledAt disabledReason';
const CONNECT = `mutation ($url: String!) { connectUpstreamWebhook(url: $url) { ${FIELDS} } }`;
const TEST = 'mutation { testUpstreamWebhook { statusCode } }';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
});
afterAll(() => gateway.close());

const settings = async () =>
  (await gateway.ask(`{ upstreamWebhook { ${FIELDS} } }`)).body.data.upstreamWebhook;
const connect = (url: string, key?: string) => gateway.ask(CONNECT, { url }, key);

test('shows where the provider delivers, and lets it deliver elsewhere and back', async () => {
  const ours = `${gateway.url}/webhooks/smscode`;
  const healthy = { secretSet: true, consecutiveFailures: 0, disabledAt: null, disabledReason: null };
  expect(await settings()).toEqual({ url: ours, ...healthy });
  const away = (await connect('https://gateway.example/webhooks/smscode')).body.data.connectUpstreamWebhook;
  expect(away).toEqual({ url: 'https://gateway.example/webhooks/smscode', ...healthy });
  expect((await connect(ours)).body.data.connectUpstreamWebhook).toEqual({ url: ours, ...healthy });
  // It signs with our secret still: what it sends is taken.
  expect((await gateway.ask(TEST)).body.data.testUpstreamWebhook).toEqual({ statusCode: 200 });
  const [order] = await buy(gateway, await cheapest(gateway), 'after the move');
  if (order === undefined) throw new Error('nothing was bought');
  await sayTo(gateway, order.id, 'Your code is 482913');
  await until('the message', async () => {
    const { body } = await gateway.ask('query ($id: ID!) { order(id: $id) { otpMessage } }', {
      id: order.id,
    });
    return body.data.order.otpMessage === 'Your code is 482913';
  });
});

test.each([
  'http://gateway.example/hook',
  'ftp://gateway.example',
  'https://user:pass@gateway.example',
  'x',
  '',
])('%j is no address to deliver to', async (url) => {
  const before = await settings();
  const answer = await connect(url);
  expect(answer.body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'url' });
  expect(await settings()).toEqual(before);
});

test('is an operator’s alone', async () => {
  const { key } = await gateway.makeKey('shop', ['BUYER', 'SUPPLIER']);
  const refusals = [
    await gateway.ask(`{ upstreamWebhook { ${FIELDS} } }`, {}, key),
    await connect('https://gateway.example/hook', key),
    await gateway.ask(TEST, {}, key),
  ];
  expect(refusals.map(codeOf)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
});
