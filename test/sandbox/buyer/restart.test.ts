import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFakeClock } from '../support/fake-clock.ts';
import { openReceiver } from '../support/receiver.ts';
import {
  anOrder,
  balanceOf,
  dataOf,
  eventually,
  ledgerOf,
  openSandbox,
  ordersOf,
  QUIET,
  readOrder,
} from '../support/sandbox.ts';

function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state.jsonl');
}

it('knows everything again, and goes on with what was planned', async () => {
  const [file, clock] = [stateFile(), createFakeClock()];
  const before = await openSandbox({ stateFile: file, clock });
  await before.steer('POST settings', { ...QUIET, sms_delay_seconds: 10, rental_seconds: 60 });
  const keyed = { 'idempotency-key': 'kept' };
  const first = await anOrder(before, keyed);
  await before.steer('POST settings', { sms_delay_seconds: null });
  const second = await anOrder(before);
  await before.steer(`POST products/${second.product_id}`, { price: 4321 });
  const [balance, ledger] = [await balanceOf(before), await ledgerOf(before)];
  const settings = (await before.steer('GET settings')).body;
  await before.close();

  const after = await openSandbox({ stateFile: file, clock });
  expect(await balanceOf(after)).toBe(balance);
  expect((await after.steer('GET settings')).body).toEqual(settings);
  expect(await ledgerOf(after)).toMatchObject({ charges: ledger.charges, refunds: [] });
  const body = { catalog_product_id: first.catalog_product_id };
  expect(ordersOf(await after.call('POST /v1/orders/create', body, keyed))[0]).toEqual(first);
  await clock.pass(10_000);
  expect(await readOrder(after, first.id)).toMatchObject({
    sms_revision: 1,
    phone_number: first.phone_number,
  });
  expect(await readOrder(after, second.id)).toMatchObject({ sms_revision: 0 });
  const third = await anOrder(after);
  expect(third.id).toBe(second.id + 1);
  await clock.pass(50_000);
  expect(await readOrder(after, second.id)).toMatchObject({ status: 'EXPIRED' });
  expect((await ledgerOf(after)).refunds).toMatchObject([{ order_id: second.id }]);
});

it('makes up for what was due while it was down, in the right order and at the right times', async () => {
  const [file, clock] = [stateFile(), createFakeClock()];
  const before = await openSandbox({ stateFile: file, clock });
  await before.steer('POST settings', { ...QUIET, sms_delay_seconds: 10 });
  const { id } = await anOrder(before);
  await before.close();
  await clock.pass(3_600_000);
  const after = await openSandbox({ stateFile: file, clock });
  expect(await readOrder(after, id)).toMatchObject({
    status: 'COMPLETED',
    sms_revision: 1,
    otp_received_at: '2026-09-02T06:40:10.000Z',
  });
});

it('sends the events that it owes, and keeps the webhook settings it was patched to', async () => {
  const [file, clock, receiver] = [stateFile(), createFakeClock(), await openReceiver()];
  const told = { url: 'http://127.0.0.1:1/nobody' };
  const before = await openSandbox({ stateFile: file, clock, webhook: told });
  await before.steer('POST settings', QUIET);
  const { id } = await anOrder(before);
  await before.steer('POST sms', { order_id: id, message: 'code 1234' });
  await clock.pass(0);
  await eventually(async () => (await ledgerOf(before)).webhooks.attempts).toHaveLength(1);
  await before.call('PATCH /v1/webhook', { webhook_url: receiver.url, webhook_secret: 'patched' });
  await before.close();

  const after = await openSandbox({ stateFile: file, clock, webhook: told });
  expect(dataOf(await after.call('GET /v1/webhook'))).toMatchObject({
    webhook_url: receiver.url,
    webhook_secret: 'patched',
  });
  await clock.pass(5000);
  expect((await receiver.received(1))[0]?.body).toContain(`"order_id":${id}`);
  await after.close();

  const moved = await openSandbox({ stateFile: file, clock, webhook: { url: 'http://127.0.0.1:2/moved' } });
  expect(dataOf(await moved.call('GET /v1/webhook'))).toMatchObject({
    webhook_url: 'http://127.0.0.1:2/moved',
  });
});

it('drops a torn last line, and refuses a file damaged elsewhere', async () => {
  const [file, clock] = [stateFile(), createFakeClock()];
  const before = await openSandbox({ stateFile: file, clock });
  const { id } = await anOrder(before);
  await before.close();
  const whole = readFileSync(file, 'utf8');
  appendFileSync(file, '[["buyer.order","4410001",{"id":44');
  const after = await openSandbox({ stateFile: file, clock });
  expect((await readOrder(after, id)).id).toBe(id);
  await after.close();
  appendFileSync(file, `broken\n${whole}`);
  await expect(openSandbox({ stateFile: file, clock })).rejects.toThrow(/damaged at .*:\d+/);
});

it('has a charge in its file before the answer leaves, and the key in the same line', async () => {
  const file = stateFile();
  const sandbox = await openSandbox({ stateFile: file });
  const { id } = await anOrder(sandbox, { 'idempotency-key': 'in-line' });
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((text) => text.includes('buyer.charge'));
  expect(line).toContain(`"order_id":${id}`);
  expect(line).toContain('["buyer.key","create in-line"');
  expect(line).toContain(`["buyer.order","${id}"`);
});
