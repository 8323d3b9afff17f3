import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway, until } from '../api/support/gateway.ts';
import { endExamples, startExample } from './support/example.ts';

let gateway: TestGateway;
let desk = '';
const goods = (kind: string): string => join(desk, 'stock', `${kind}.txt`);

beforeAll(async () => {
  gateway = await startGateway();
  desk = mkdtempSync(join(tmpdir(), 'switchboard-desk-'));
  mkdirSync(join(desk, 'stock'));
});
afterAll(async () => {
  await gateway.close();
  rmSync(desk, { recursive: true });
});
afterEach(endExamples);

function work(pullEvery = '1') {
  const env = { SWITCHBOARD_URL: gateway.graphql, SWITCHBOARD_KEY: gateway.key };
  return startExample(
    'supplier-worker/main.ts',
    [desk, '--pull-every', pullEvery, '--look-every', '0.2'],
    env,
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
