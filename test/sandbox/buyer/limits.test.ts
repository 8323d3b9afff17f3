import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { balanceOf, eventually, expectRefusal, ledgerOf, openSandbox } from '../support/sandbox.ts';

const OPERATIONS = [
  'GET /v1/catalog/countries',
  'GET /v1/catalog/services',
  'GET /v1/catalog/products',
  'GET /v1/catalog/operators?country_id=6&platform_id=1',
  'GET /v1/catalog/exchange-rate',
  'GET /v1/balance',
  'GET /v1/orders',
  'GET /v1/orders/active',
  'GET /v1/orders/4410001',
  'GET /v1/orders/4410001/reactivate-options',
  'POST /v1/orders/create',
  'POST /v1/orders/cancel',
  'POST /v1/orders/finish',
  'POST /v1/orders/resend',
  'POST /v1/orders/reactivate',
  'GET /v1/webhook',
  'PATCH /v1/webhook',
  'POST /v1/webhook/test',
];

it('asks every operation for the token, and names each answer', async () => {
  const { call } = await openSandbox();
  const ids = new Set<string | null>();
  for (const operation of OPERATIONS) {
    for (const authorization of ['', 'Bearer other', 'Basic sandbox-token', 'bearer']) {
      const answer = await call(operation, undefined, { authorization });
      expectRefusal(answer, 401, 'UNAUTHORIZED');
      ids.add(answer.headers.get('x-request-id'));
    }
  }
  expect(ids.size).toBe(OPERATIONS.length * 4);
  expect(ids).not.toContain(null);
});

it('answers NOT_FOUND on an unknown path or method', async () => {
  const { call } = await openSandbox();
  for (const what of [
    'GET /v1/nothing',
    'DELETE /v1/orders',
    'GET /v1/orders/create',
    'POST /v1/balance',
    'GET /v1/balance/',
    'GET /v1',
    'PUT /v1/webhook',
    'POST /v1/orders/replace',
  ]) {
    const answer = await call(what);
    expectRefusal(answer, 404, 'NOT_FOUND');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  }
  expect((await call('GET /v2/balance')).status).toBe(404);
});

it('limits the requests of a minute, and says when the next may come', async () => {
  const sandbox = await openSandbox();
  await sandbox.steer('POST settings', { rate_per_minute: 3 });
  for (let count = 0; count < 3; count++) {
    await balanceOf(sandbox);
    await sandbox.clock.pass(10_000);
  }
  for (const operation of OPERATIONS) {
    const answer = await sandbox.call(operation);
    expectRefusal(answer, 429, 'RATE_LIMIT_EXCEEDED');
    expect(answer.headers.get('retry-after')).toBe('30');
  }
  await sandbox.clock.pass(29_999);
  expect((await sandbox.call('GET /v1/balance')).status).toBe(429);
  await sandbox.clock.pass(1);
  await balanceOf(sandbox);
  expect((await sandbox.call('GET /v1/balance')).headers.get('retry-after')).toBe('10');
});

it('takes 300 requests a minute unless told otherwise', async () => {
  const sandbox = await openSandbox();
  await Promise.all(Array.from({ length: 300 }, () => balanceOf(sandbox)));
  expect((await sandbox.call('GET /v1/balance')).status).toBe(429);
});

it('answers 413 in plain text over 1 MB, whatever the path, but only to its own', async () => {
  const sandbox = await openSandbox();
  const large = `{"catalog_product_id":1,"x":"${'x'.repeat(1_000_000)}"}`;
  const answer = await sandbox.call('POST /v1/orders/create', large);
  expect(answer.status).toBe(413);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(answer.headers.get('x-request-id')).not.toBeNull();
  expectRefusal(
    await sandbox.call('POST /v1/orders/create', large, { authorization: '' }),
    401,
    'UNAUTHORIZED',
  );
});

it('writes a request down when it comes in, also one whose body never does', async () => {
  const sandbox = await openSandbox();
  const socket = connect(Number(new URL(sandbox.origin).port), '127.0.0.1');
  socket.write(
    'POST /v1/orders/create HTTP/1.1\r\nhost: x\r\nidempotency-key: cut\r\ncontent-length: 100\r\n\r\n{"catalog',
  );
  const requests = async () => (await ledgerOf(sandbox)).requests;
  await eventually(requests).toHaveLength(1);
  expect((await requests())[0]).toMatchObject({ idempotency_key: 'cut', status: null, ended_at: null });
  socket.destroy();
  await eventually(async () => (await requests())[0]?.['ended_at']).not.toBeNull();
  await balanceOf(sandbox);
  expect((await requests())[1]).toMatchObject({ path: '/v1/balance', inflight_at_start: 0, status: 200 });
});

it('lists the requests after a number', async () => {
  const sandbox = await openSandbox();
  for (let count = 0; count < 3; count++) await balanceOf(sandbox);
  const { body } = await sandbox.steer('GET ledger?after=2');
  expect(body).toMatchObject({ requests: [{ n: 3, side: 'buyer', method: 'GET', path: '/v1/balance' }] });
});
