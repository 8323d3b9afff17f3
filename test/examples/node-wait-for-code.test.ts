import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { endExamples, startExample } from './support/example.ts';

const MAIN = 'node-wait-for-code/main.ts';
let gateway: TestGateway;
let jobs = 0;
let job = '';

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.control('settings', { rate_per_minute: null });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  job = `job-${++jobs}`;
  await gateway.control('settings', { sms_delay_seconds: 0.2, minimum_cancel_seconds: 120 });
});
afterEach(endExamples);

function run(...args: string[]) {
  const env = { SWITCHBOARD_URL: gateway.graphql, SWITCHBOARD_KEY: gateway.key };
  return startExample(MAIN, [job, ...args], env);
}

async function ordersOfJob() {
  const { body } = await gateway.ask(
    'query ($job: String!) { orders(filter: { businessJobId: $job }) { nodes { id status } } viewer { caller } }',
    { job },
  );
  return body.data.orders.nodes;
}

it('prints the code and nothing else, finishes the order, and says the same again for the same job', async () => {
  const first = run();
  expect(await first.ended).toBe(0);
  expect(first.stdout()).toMatch(/^\d{4,8}\n$/);
  expect(await ordersOfJob()).toEqual([{ id: expect.any(String), status: 'COMPLETED' }]);

  const again = run();
  expect(await again.ended).toBe(0);
  expect(again.stdout()).toBe(first.stdout());
  expect(await ordersOfJob()).toHaveLength(1);
}, 60_000);

it('comes to its code though the answer to the order is lost, and pays once', async () => {
  await gateway.control('faults', { kind: 'reset_after', match: { path: '/v1/orders/create' } });
  const example = run();
  expect(await example.ended).toBe(0);
  expect(example.stdout()).toMatch(/^\d{4,8}\n$/);
  expect(await ordersOfJob()).toHaveLength(1);
  const { body } = await gateway.ask(
    'query ($job: String!) { createAttempt(businessJobId: $job) { sends state } }',
    { job },
  );
  expect(body.data.createAttempt).toEqual({ sends: 2, state: 'RESOLVED' });
}, 60_000);

it('gives the number back where no code comes, as soon as the provider allows it', async () => {
  await gateway.control('settings', { sms_delay_seconds: null, minimum_cancel_seconds: 2 });
  const example = run('--wait', '0.2');
  expect(await example.ended).toBe(2);
  expect(example.stdout()).toBe('');
  expect(await ordersOfJob()).toEqual([{ id: expect.any(String), status: 'CANCELED' }]);
}, 60_000);

it('buys nothing above its limit', async () => {
  const example = run('--max-price', '10');
  expect(await example.ended).toBe(1);
  expect(example.stderr()).toContain('PRICE_ABOVE_LIMIT');
  expect(await ordersOfJob()).toEqual([]);
}, 60_000);
