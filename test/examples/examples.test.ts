import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, until } from '../api/support/gateway.ts';
import { endExamples, startExample } from './support/example.ts';

// One gateway for all of them: to start it is most of what a short test costs.
let gateway: TestGateway;
let desk = '';
const secret = `whsec_${randomBytes(32).toString('base64')}`;
let alertsPort = 0;

beforeAll(async () => {
  alertsPort = await freePort();
  gateway = await startGateway({
    // More than the sandbox's account holds.
    BALANCE_ALERT_BELOW: '99000000',
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${alertsPort}/`,
    ALERT_WEBHOOK_SECRET: secret,
  });
  await gateway.control('settings', { rate_per_minute: null });
  desk = mkdtempSync(join(tmpdir(), 'switchboard-desk-'));
  mkdirSync(join(desk, 'stock'));
});
afterAll(async () => {
  await gateway.close();
  rmSync(desk, { recursive: true });
});
afterEach(endExamples);

const access = (): Record<string, string> => ({
  SWITCHBOARD_URL: gateway.graphql,
  SWITCHBOARD_KEY: gateway.key,
});

describe('examples/alerts', () => {
  it('takes a signed alert of the gateway in, and no forged one', async () => {
    const receiver = startExample('alerts/receive-alerts.ts', [], {
      ALERT_WEBHOOK_SECRET: secret,
      ALERTS_PORT: String(alertsPort),
    });
    const forged = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${alertsPort}/`, {
        method: 'POST',
        headers: {
          'webhook-id': 'x',
          'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
          'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
        },
        body: '{"data":{"kind":"FORGED","message":""}}',
      });
    await until(
      'the receiver listens, and refuses',
      () =>
        forged().then(
          (response) => response.status === 401,
          () => false,
        ),
      30_000,
    );
    // It was not there so far: the gateway has gone on telling.
    await receiver.prints('LOW_BALANCE: ');
    expect(receiver.stdout()).toContain('below 99000000');
    expect(receiver.stdout()).not.toContain('FORGED');
  }, 60_000);
});

describe('examples/node-wait-for-code', () => {
  let jobs = 0;
  let job = '';
  beforeEach(async () => {
    job = `job-${++jobs}`;
    await gateway.control('settings', { sms_delay_seconds: 0.2, minimum_cancel_seconds: 120 });
  });

  function waitForCode(...args: string[]) {
    return startExample('node-wait-for-code/main.ts', [job, ...args], access());
  }

  async function ordersOfJob() {
    const { body } = await gateway.ask(
      'query ($job: String!) { orders(filter: { businessJobId: $job }) { nodes { id status } } viewer { caller } }',
      { job },
    );
    return body.data.orders.nodes;
  }

  it('prints the code and nothing else, finishes the order, and says the same again for the same job', async () => {
    const first = waitForCode();
    expect(await first.ended).toBe(0);
    expect(first.stdout()).toMatch(/^\d{4,8}\n$/);
    expect(await ordersOfJob()).toEqual([{ id: expect.any(String), status: 'COMPLETED' }]);

    const again = waitForCode();
    expect(await again.ended).toBe(0);
    expect(again.stdout()).toBe(first.stdout());
    expect(await ordersOfJob()).toHaveLength(1);
  }, 60_000);

  it('comes to its code though the answer to the order is lost, and pays once', async () => {
    await gateway.control('faults', { kind: 'reset_after', match: { path: '/v1/orders/create' } });
    const example = waitForCode();
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
    const example = waitForCode('--wait', '0.2');
    expect(await example.ended).toBe(2);
    expect(example.stdout()).toBe('');
    expect(await ordersOfJob()).toEqual([{ id: expect.any(String), status: 'CANCELED' }]);
  }, 60_000);

  it('buys nothing above its limit', async () => {
    const example = waitForCode('--max-price', '10');
    expect(await example.ended).toBe(1);
    expect(example.stderr()).toContain('PRICE_ABOVE_LIMIT');
    expect(await ordersOfJob()).toEqual([]);
  }, 60_000);
});

describe('examples/supplier-worker', () => {
  const goods = (kind: string): string => join(desk, 'stock', `${kind}.txt`);

  function work(pullEvery = '1', directory = desk) {
    return startExample(
      'supplier-worker/main.ts',
      [directory, '--pull-every', pullEvery, '--look-every', '0.2'],
      access(),
    );
  }

  async function delivered(order: string): Promise<string[]> {
    const ledger = await gateway.control('ledger');
    const { delivered_lines: lines } = ledger as { delivered_lines: { order_id: string; line: string }[] };
    return lines.filter(({ order_id }) => order_id === order).map(({ line }) => line);
  }

  async function placeOrder(quantity: number, subCategory: string): Promise<string> {
    const order = await gateway.control('supplier-orders', { quantity, subCategory });
    return (order as { id: string }).id;
  }

  it('delivers in rounds as the stock allows, over its own sudden end, and sells no piece twice', async () => {
    writeFileSync(goods('telegram'), 'a:1\nb:2\n');
    const order = await placeOrder(3, 'telegram');
    const first = work();
    await first.prints(`${order}: 2 delivered, 1 owed, PROCESSING`);
    first.kill('SIGKILL');
    await first.ended;

    // A repeat in another case is the same piece; the rest is enough for this order and the next.
    appendFileSync(goods('telegram'), 'A:1\nc:3\nd:4\n');
    const next = await placeOrder(1, 'telegram');
    const second = work();
    await second.prints(`${order}: 1 delivered, 0 owed, COMPLETED`);
    await second.prints(`${next}: 1 delivered, 0 owed, COMPLETED`);
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(await delivered(order)).toEqual(['a:1', 'b:2', 'c:3']);
    expect(await delivered(next)).toEqual(['d:4']);
  }, 90_000);

  it('works on what was claimed elsewhere, heard of by subscription alone', async () => {
    writeFileSync(goods('gmail'), 'x:1\ny:2\n');
    const worker = work('0');
    await until(
      'the worker listens',
      async () =>
        (await (await fetch(`${gateway.url}/metrics`)).text()).includes(
          'open_streams{kind="supplierOrderClaimed"} 1',
        ),
      30_000,
    );
    const order = await placeOrder(2, 'gmail');
    await gateway.ask('mutation { pullSupplierOrders { id } }');
    await worker.prints(`${order}: 2 delivered, 0 owed, COMPLETED`);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }, 60_000);

  it('works on what was claimed before its first start', async () => {
    const fresh = join(desk, 'newcomer');
    mkdirSync(join(fresh, 'stock'), { recursive: true });
    writeFileSync(join(fresh, 'stock', 'viber.txt'), 'v:1\n');
    const order = await placeOrder(1, 'viber');
    await gateway.ask('mutation { pullSupplierOrders { id } }');
    const worker = work('0', fresh);
    await worker.prints(`${order}: 1 delivered, 0 owed, COMPLETED`);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }, 60_000);

  it('goes on when a delivery’s answer is lost: the gateway sends it again, and every line is there once', async () => {
    writeFileSync(goods('facebook'), 'p:1\nq:2\n');
    const order = await placeOrder(2, 'facebook');
    await gateway.control('faults', { kind: 'reset_after', match: { path: '/api/admin/v2/orders-update' } });
    const worker = work();
    await until('the order is closed', async () => (await statusOf(order)) === 'COMPLETED', 30_000);
    worker.kill('SIGTERM');
    await worker.ended;
    expect(await delivered(order)).toEqual(['p:1', 'q:2']);
  }, 60_000);

  async function statusOf(id: string): Promise<unknown> {
    const { body } = await gateway.ask('query ($id: ID!) { supplierOrder(id: $id) { status } }', { id });
    return body.data.supplierOrder?.status;
  }
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address instanceof Object ? address.port : 0));
    });
  });
}
