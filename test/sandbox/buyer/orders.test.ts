import { describe, expect, it } from 'vitest';
import {
  type AnyOrder,
  anOrder,
  balanceOf,
  dataOf,
  eventually,
  expectRefusal,
  ledgerOf,
  listOf,
  openSandbox,
  ordersOf,
  QUIET,
  readOrder,
  type TestSandbox,
} from '../support/sandbox.ts';

async function quiet(): Promise<TestSandbox> {
  const sandbox = await openSandbox();
  await sandbox.steer('POST settings', QUIET);
  return sandbox;
}

async function sms({ steer }: TestSandbox, { id }: AnyOrder, message: string, otp_code?: string | null) {
  return steer('POST sms', { order_id: id, message, ...(otp_code === undefined ? {} : { otp_code }) });
}

describe('an SMS', () => {
  it('raises the revision, replaces the text, and keeps the last code', async () => {
    const sandbox = await quiet();
    const order = await anOrder(sandbox);
    await sandbox.clock.pass(10_000);
    await sms(sandbox, order, 'Telegram code: 50318');
    const first = { status: 'OTP_RECEIVED', otp_code: '50318', sms_revision: 1 };
    expect(await readOrder(sandbox, order.id)).toMatchObject(first);
    await sandbox.clock.pass(10_000);
    await sms(sandbox, order, 'Signed in from a new device.');
    await sms(sandbox, order, 'Number 123456 is no code', null);
    expect(await readOrder(sandbox, order.id)).toMatchObject({
      otp_code: '50318',
      otp_message: 'Number 123456 is no code',
      sms_revision: 3,
      otp_received_at: '2026-09-02T06:40:10.000Z',
      can_finish: true,
      can_resend: true,
      can_cancel: false,
    });
  });

  it('comes by itself exactly when it is set to, and not at all with null', async () => {
    const sandbox = await quiet();
    const silent = await anOrder(sandbox);
    await sandbox.steer('POST settings', { sms_delay_seconds: 7 });
    const order = await anOrder(sandbox);
    await sandbox.clock.pass(6999);
    expect(await readOrder(sandbox, order.id)).toMatchObject({ sms_revision: 0 });
    await sandbox.clock.pass(1);
    expect(await readOrder(sandbox, order.id)).toMatchObject({
      sms_revision: 1,
      otp_code: expect.any(String),
    });
    await sandbox.clock.pass(600_000);
    expect(await readOrder(sandbox, silent.id)).toMatchObject({ sms_revision: 0, status: 'ACTIVE' });
  });

  it('comes within seconds where nothing is set, now and then without a code or with a second one', async () => {
    const sandbox = await openSandbox();
    const { catalog_product_id } = await anOrder(sandbox);
    await sandbox.call('POST /v1/orders/create', { catalog_product_id, quantity: 100 });
    await sandbox.call('POST /v1/orders/create', { catalog_product_id, quantity: 100 });
    await sandbox.clock.pass(10_000);
    const orders = listOf(await sandbox.call('GET /v1/orders/active'));
    expect(orders.length).toBeGreaterThan(60);
    expect(orders.every((order) => order['status'] === 'OTP_RECEIVED')).toBe(true);
    expect(orders.some((order) => order['otp_code'] === null)).toBe(true);
    expect(orders.some((order) => order['sms_revision'] === 2)).toBe(true);
  });
});

describe('GET /v1/orders', () => {
  it('shows the newest first, by limit, offset and status', async () => {
    const sandbox = await quiet();
    const made: number[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await anOrder(sandbox)).id);
    const ids = async (query: string) =>
      listOf(await sandbox.call(`GET /v1/orders?${query}`)).map(({ id }) => id);
    expect(await ids('')).toEqual(made);
    expect(await ids('limit=2&offset=1')).toEqual(made.slice(1, 3));
    expect(await ids('limit=0')).toEqual(made.slice(0, 1));
    expect(await ids('offset=-5&limit=1000')).toEqual(made);
    expect(await ids('offset=5')).toEqual([]);
    await sandbox.steer(`POST orders/${made[2]}/expire`);
    expect(await ids('status=expired')).toEqual([made[2]]);
    expect(await ids('status=ACTIVE&limit=2')).toEqual([made[0], made[1]]);
    expectRefusal(await sandbox.call('GET /v1/orders?status=PENDING'), 422, 'VALIDATION_ERROR', {
      field: 'status',
    });
    expectRefusal(await sandbox.call('GET /v1/orders?limit=x'), 422, 'VALIDATION_ERROR', { field: 'limit' });
  });
});

describe('GET /v1/orders/active', () => {
  it('has every open order, newest first, compressed when asked', async () => {
    const sandbox = await quiet();
    const [open, withSms, ended] = [await anOrder(sandbox), await anOrder(sandbox), await anOrder(sandbox)];
    await sms(sandbox, withSms, 'code 1234');
    await sandbox.steer(`POST orders/${ended.id}/expire`);
    const answer = await sandbox.call('GET /v1/orders/active');
    expect(listOf(answer).map(({ id }) => id)).toEqual([withSms.id, open.id]);
    await sandbox.call('POST /v1/orders/create', {
      catalog_product_id: open.catalog_product_id,
      quantity: 10,
    });
    const zipped = await sandbox.call('GET /v1/orders/active', undefined, { 'accept-encoding': 'gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(listOf(zipped)).toHaveLength(12);
    const plain = await sandbox.call('GET /v1/orders/active', undefined, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.body).toEqual(zipped.body);
  });
});

describe('GET /v1/orders/{id}', () => {
  it('knows its own orders alone', async () => {
    const { call } = await quiet();
    for (const id of ['1', '2147483648', '99999999999999', '-1', 'x', '1.0', 'create']) {
      expectRefusal(await call(`GET /v1/orders/${id}`), 404, 'NOT_FOUND');
    }
  });
});

describe('POST /v1/orders/cancel', () => {
  it('gives all back once the window has cleared, and only once', async () => {
    const sandbox = await quiet();
    const start = await balanceOf(sandbox);
    const { id, amount } = await anOrder(sandbox);
    await sandbox.clock.pass(119_999);
    expect(await readOrder(sandbox, id)).toMatchObject({
      can_cancel: false,
      cancel_available_at: '2026-09-02T06:42:00.000Z',
      replace_available_at: '2026-09-02T06:42:00.000Z',
    });
    expectRefusal(await sandbox.call('POST /v1/orders/cancel', { id }), 409, 'CANCEL_TOO_EARLY');
    await sandbox.clock.pass(1);
    expect(await readOrder(sandbox, id)).toMatchObject({
      can_cancel: true,
      can_replace: true,
      cancel_available_at: null,
    });
    expect((await sandbox.call('POST /v1/orders/cancel', { id })).body).toEqual({
      success: true,
      data: { order_id: id, status: 'CANCELED', refund_amount: amount, new_balance: start },
    });
    expect(await readOrder(sandbox, id)).toMatchObject({
      status: 'CANCELED',
      canceled_at: '2026-09-02T06:42:00.000Z',
      can_cancel: false,
    });
    expectRefusal(await sandbox.call('POST /v1/orders/cancel', { id }), 409, 'CONFLICT');
    expect((await ledgerOf(sandbox)).refunds).toEqual([
      { order_id: id, amount, reason: 'canceled', at: '2026-09-02T06:42:00.000Z' },
    ]);
  });

  it('is closed for good by an SMS, also one without a code', async () => {
    const sandbox = await quiet();
    const order = await anOrder(sandbox);
    await sandbox.clock.pass(120_000);
    await sms(sandbox, order, 'Sign in at https://login.example/t/8fQ2');
    expect(await readOrder(sandbox, order.id)).toMatchObject({ otp_code: null, can_cancel: false });
    expectRefusal(await sandbox.call('POST /v1/orders/cancel', { id: order.id }), 409, 'CONFLICT');
  });

  it('knows a daily cap', async () => {
    const sandbox = await quiet();
    await sandbox.steer('POST settings', { minimum_cancel_seconds: 0, cancels_per_day: 1 });
    const [first, second] = [await anOrder(sandbox), await anOrder(sandbox)];
    expect((await sandbox.call('POST /v1/orders/cancel', { id: first.id })).status).toBe(200);
    const capped = await sandbox.call('POST /v1/orders/cancel', { id: second.id });
    expectRefusal(capped, 429, 'RATE_LIMIT_EXCEEDED');
    expect(capped.headers.get('retry-after')).toBe(String(17 * 3600 + 20 * 60));
    await sandbox.steer('POST settings', { rental_seconds: 100_000 });
    const third = await anOrder(sandbox);
    await sandbox.clock.pass(24 * 3600 * 1000);
    expect((await sandbox.call('POST /v1/orders/cancel', { id: third.id })).status).toBe(200);
  });

  it.each(['cancel', 'finish', 'resend'])('%s checks its body and its order', async (verb) => {
    const { call } = await quiet();
    for (const body of [{}, { id: '1' }, { id: 1, more: 1 }, { id: null }, [1], { id: 2147483648 }]) {
      const answer = await call(`POST /v1/orders/${verb}`, body);
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
    expectRefusal(await call(`POST /v1/orders/${verb}`, { id: 5 }), 404, 'NOT_FOUND');
  });
});

describe('POST /v1/orders/finish', () => {
  it('needs an SMS, completes, and moves no money', async () => {
    const sandbox = await quiet();
    const order = await anOrder(sandbox);
    const balance = await balanceOf(sandbox);
    expectRefusal(await sandbox.call('POST /v1/orders/finish', { id: order.id }), 409, 'CONFLICT');
    await sms(sandbox, order, 'code 1234');
    expect(dataOf(await sandbox.call('POST /v1/orders/finish', { id: order.id }))).toEqual({
      order_id: order.id,
      status: 'COMPLETED',
    });
    expectRefusal(await sandbox.call('POST /v1/orders/finish', { id: order.id }), 409, 'CONFLICT');
    expect(await balanceOf(sandbox)).toBe(balance);
  });
});

describe('POST /v1/orders/resend', () => {
  it('goes back to ACTIVE, cools down, and brings a new SMS', async () => {
    const sandbox = await quiet();
    const order = await anOrder(sandbox);
    expectRefusal(await sandbox.call('POST /v1/orders/resend', { id: order.id }), 409, 'CONFLICT');
    await sms(sandbox, order, 'code 1234');
    await sandbox.steer('POST settings', { sms_delay_seconds: 4 });
    expect(dataOf(await sandbox.call('POST /v1/orders/resend', { id: order.id }))).toEqual({
      order_id: order.id,
      status: 'ACTIVE',
      resent: true,
    });
    const cooling = { can_resend: false, resend_available_at: '2026-09-02T06:40:30.000Z' };
    expect(await readOrder(sandbox, order.id)).toMatchObject({
      ...cooling,
      status: 'ACTIVE',
      otp_code: '1234',
      sms_revision: 1,
      can_finish: true,
      can_cancel: false,
    });
    expectRefusal(await sandbox.call('POST /v1/orders/resend', { id: order.id }), 409, 'CONFLICT');
    await sandbox.clock.pass(4000);
    expect(await readOrder(sandbox, order.id)).toMatchObject({
      ...cooling,
      status: 'OTP_RECEIVED',
      sms_revision: 2,
    });
    await sandbox.clock.pass(26_000);
    expect(await readOrder(sandbox, order.id)).toMatchObject({ can_resend: true, resend_available_at: null });
  });
});

describe('the end of the window', () => {
  it('refunds in one step with the status, unless an SMS came', async () => {
    const sandbox = await quiet();
    const start = await balanceOf(sandbox);
    const [without, withSms] = [await anOrder(sandbox), await anOrder(sandbox)];
    await sms(sandbox, withSms, 'no code here');
    await sandbox.clock.pass(1_199_999);
    expect(await readOrder(sandbox, without.id)).toMatchObject({ status: 'ACTIVE' });
    await sandbox.clock.pass(1);
    expect(await readOrder(sandbox, without.id)).toMatchObject({ status: 'EXPIRED', failed_reason: null });
    expect(await readOrder(sandbox, withSms.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await balanceOf(sandbox)).toBe(start - withSms.amount);
    expect((await ledgerOf(sandbox)).refunds).toMatchObject([{ order_id: without.id, reason: 'expired' }]);
  });

  it('can be brought about by hand, once', async () => {
    const sandbox = await quiet();
    const { id } = await anOrder(sandbox);
    await sandbox.steer(`POST orders/${id}/expire`);
    expect(await sandbox.call(`POST /_sandbox/orders/${id}/expire`)).toMatchObject({ status: 409 });
    expect(await sandbox.call('POST /_sandbox/orders/1/expire')).toMatchObject({ status: 404 });
    expect(await sandbox.call('POST /_sandbox/sms', { order_id: id, message: 'x' })).toMatchObject({
      status: 409,
    });
    await sandbox.clock.pass(1_300_000);
    expect((await ledgerOf(sandbox)).refunds).toHaveLength(1);
  });
});

describe('reactivation', () => {
  async function completed(sandbox: TestSandbox): Promise<AnyOrder> {
    await sandbox.steer('POST settings', { reactivation: 'always', reactivation_cost: 7300 });
    const order = await anOrder(sandbox);
    await sms(sandbox, order, 'code 1234');
    await sandbox.call('POST /v1/orders/finish', { id: order.id });
    return readOrder(sandbox, order.id);
  }

  it('quotes, charges the quote, and gives the one child with the same number', async () => {
    const sandbox = await quiet();
    const parent = await completed(sandbox);
    expect(parent).toMatchObject({ can_reactivate: true });
    expect(dataOf(await sandbox.call(`GET /v1/orders/${parent.id}/reactivate-options`))).toEqual({
      cost: 7300,
    });
    const before = await balanceOf(sandbox);
    const keyed = { 'idempotency-key': 'again' };
    const body = { id: parent.id, max_price: 7300 };
    const answer = await sandbox.call('POST /v1/orders/reactivate', body, keyed);
    const [child] = ordersOf(answer);
    expect(child).toMatchObject({
      status: 'ACTIVE',
      amount: 7300,
      phone_number: parent.phone_number,
      otp_code: null,
    });
    expect(child?.id).toBeGreaterThan(parent.id);
    expect(await balanceOf(sandbox)).toBe(before - 7300);
    // While the child is open its parent is not to be had again.
    expect(await readOrder(sandbox, parent.id)).toMatchObject({ status: 'COMPLETED', can_reactivate: false });
    expect((await sandbox.call('POST /v1/orders/reactivate', body, keyed)).body).toEqual(answer.body);
    expectRefusal(await sandbox.call('POST /v1/orders/reactivate', body), 409, 'CONFLICT');
    await sandbox.steer(`POST orders/${child?.id}/expire`);
    expect(await readOrder(sandbox, parent.id)).toMatchObject({ can_reactivate: true });
    expect(await balanceOf(sandbox)).toBe(before);
  });

  it('keeps its keys apart from those of create', async () => {
    const sandbox = await quiet();
    const parent = await completed(sandbox);
    const keyed = { 'idempotency-key': 'same' };
    await anOrder(sandbox, keyed);
    expect(ordersOf(await sandbox.call('POST /v1/orders/reactivate', { id: parent.id }, keyed))).toHaveLength(
      1,
    );
  });

  it('refuses what cannot be', async () => {
    const sandbox = await quiet();
    const parent = await completed(sandbox);
    const again = (body: object) => sandbox.call('POST /v1/orders/reactivate', body);
    expectRefusal(await again({ id: 1 }), 404, 'NOT_FOUND');
    expectRefusal(await again({ id: parent.id, max_price: 7299 }), 422, 'VALIDATION_ERROR', {
      field: 'max_price',
    });
    expectRefusal(await again({ id: parent.id, quantity: 1 }), 422, 'VALIDATION_ERROR', {
      field: 'quantity',
    });
    const open = await anOrder(sandbox);
    expectRefusal(await again({ id: open.id }), 409, 'CONFLICT');
    expectRefusal(await sandbox.call(`GET /v1/orders/${open.id}/reactivate-options`), 409, 'CONFLICT');
    expectRefusal(await sandbox.call('GET /v1/orders/1/reactivate-options'), 404, 'NOT_FOUND');
    await sandbox.steer('POST settings', { balance: 7299 });
    expectRefusal(await again({ id: parent.id }), 409, 'INSUFFICIENT_BALANCE');
    await sandbox.steer('POST settings', { reactivation: 'never' });
    expectRefusal(await again({ id: parent.id }), 409, 'CONFLICT');
  });

  it('lets one at a time be settling', async () => {
    const sandbox = await quiet();
    const parent = await completed(sandbox);
    await sandbox.steer('POST faults', { kind: 'delay', ms: 1000, match: { path: '/v1/orders/reactivate' } });
    const first = sandbox.call('POST /v1/orders/reactivate', { id: parent.id }, { 'idempotency-key': 'a' });
    await eventually(async () => (await ledgerOf(sandbox)).requests.at(-1)?.['fault']).toBe('delay');
    const second = await sandbox.call(
      'POST /v1/orders/reactivate',
      { id: parent.id },
      { 'idempotency-key': 'b' },
    );
    expectRefusal(second, 409, 'CONFLICT');
    await sandbox.clock.pass(1000);
    expect(ordersOf(await first)).toHaveLength(1);
  });
});
