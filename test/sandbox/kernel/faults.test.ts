import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pathMatches } from '../../../src/sandbox/kernel/faults.ts';
import {
  anOffer,
  balanceOf,
  eventually,
  expectRefusal,
  ledgerOf,
  listOf,
  openSandbox,
  ordersOf,
  type TestSandbox,
} from '../support/sandbox.ts';

const CREATE = 'POST /v1/orders/create';

/** What arrives when `GET path` is asked for on a bare socket, up to its end. */
function raw({ origin }: TestSandbox, path: string): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sandbox-token\r\n\r\n`);
  });
}

async function charges(sandbox: TestSandbox): Promise<number> {
  return (await ledgerOf(sandbox)).charges.length;
}

describe('a fault on a request', () => {
  it('resets before or after the effect', async () => {
    const sandbox = await openSandbox();
    const { catalog_product_id } = await anOffer(sandbox);
    const keyed = { 'idempotency-key': 'reset' };
    await sandbox.steer('POST faults', { kind: 'reset_before', match: { path: '/v1/orders/create' } });
    await expect(sandbox.call(CREATE, { catalog_product_id }, keyed)).rejects.toThrow();
    expect(await charges(sandbox)).toBe(0);
    await sandbox.steer('POST faults', { kind: 'reset_after', match: { path: '/v1/orders/create' } });
    await expect(sandbox.call(CREATE, { catalog_product_id }, keyed)).rejects.toThrow();
    expect(await charges(sandbox)).toBe(1);
    expect(ordersOf(await sandbox.call(CREATE, { catalog_product_id }, keyed))).toHaveLength(1);
    expect(await charges(sandbox)).toBe(1);
    const { requests } = await ledgerOf(sandbox);
    expect(requests.slice(1)).toMatchObject([
      { fault: 'reset_before', status: null, idempotency_key: 'reset', body: { catalog_product_id } },
      { fault: 'reset_after', status: null },
      { fault: null, status: 200 },
    ]);
  });

  it('cuts the body in its middle, under its whole length or on a closing answer', async () => {
    const sandbox = await openSandbox();
    const whole = JSON.stringify((await sandbox.call('GET /v1/balance')).body);
    const half = whole.slice(0, Math.floor(whole.length / 2));
    await sandbox.steer('POST faults', { kind: 'half_body' });
    const long = await raw(sandbox, '/v1/balance');
    expect(long).toContain(`content-length: ${whole.length}\r\n`);
    expect(long.split('\r\n\r\n')[1]).toBe(half);
    await sandbox.steer('POST faults', { kind: 'half_body_close' });
    const closing = await raw(sandbox, '/v1/balance');
    expect(closing).toMatch(/^HTTP\/1\.1 200 .*connection: close\r\n/s);
    expect(closing).not.toContain('content-length');
    expect(closing.split('\r\n\r\n')[1]).toBe(half);
    await sandbox.steer('POST faults', { kind: 'half_body' });
    await expect(sandbox.call('GET /v1/balance')).rejects.toThrow();
    await sandbox.steer('POST faults', { kind: 'half_body_close' });
    expect(await sandbox.call('GET /v1/balance')).toMatchObject({ status: 200, body: half });
  });

  it('spoils bytes, keys or shape', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST faults', { kind: 'bad_utf8' });
    const bytes = await (await fetch(`${sandbox.origin}/v1/balance`)).arrayBuffer();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
    expect(new TextDecoder().decode(bytes)).toContain('\ufffd');
    await sandbox.steer('POST faults', { kind: 'duplicate_key' });
    expect(await (await fetch(`${sandbox.origin}/v1/balance`)).text()).toMatch(
      /^\{"success":false,"success":false,/,
    );
    await sandbox.steer('POST faults', { kind: 'wrong_shape' });
    expect((await sandbox.call('GET /v1/balance')).body).toEqual({ success: true });
    const merge = { data: { balance: '5', currency: null }, more: [1] };
    await sandbox.steer('POST faults', { kind: 'wrong_shape', merge });
    expect((await sandbox.call('GET /v1/balance')).body).toEqual({
      success: true,
      data: { balance: '5' },
      more: [1],
    });
    await sandbox.steer('POST faults', { kind: 'wrong_shape', merge: { data: { code: 'xx' } } });
    const countries = listOf(await sandbox.call('GET /v1/catalog/countries'));
    expect(countries.length).toBeGreaterThan(100);
    for (const country of countries) expect(country).toMatchObject({ id: expect.any(Number), code: 'xx' });
  });

  it('answers in the place of the upstream, with or without its effect', async () => {
    const sandbox = await openSandbox();
    const { catalog_product_id } = await anOffer(sandbox);
    await sandbox.steer('POST faults', { kind: 'html_502' });
    expect(await sandbox.call(CREATE, { catalog_product_id })).toMatchObject({
      status: 502,
      body: expect.stringContaining('<html>'),
    });
    expect(await charges(sandbox)).toBe(0);
    await sandbox.steer('POST faults', { kind: 'html_502', effect: true });
    await sandbox.call(CREATE, { catalog_product_id });
    expect(await charges(sandbox)).toBe(1);
    const body = { success: false, error: { code: 'PROVIDER_ERROR', message: 'x' } };
    await sandbox.steer('POST faults', { kind: 'status', status: 422, body, headers: { 'x-more': '1' } });
    const answer = await sandbox.call(CREATE, { catalog_product_id });
    expectRefusal(answer, 422, 'PROVIDER_ERROR');
    expect(answer.headers.get('x-more')).toBe('1');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    await sandbox.steer('POST faults', { kind: 'rate_limited', retry_after: 7 });
    const limited = await sandbox.call('GET /v1/balance');
    expectRefusal(limited, 429, 'RATE_LIMIT_EXCEEDED');
    expect(limited.headers.get('retry-after')).toBe('7');
    await sandbox.steer('POST faults', { kind: 'redirect', status: 308, location: 'http://127.0.0.1:9/x' });
    const redirected = await sandbox.call('GET /v1/balance');
    expect([redirected.status, redirected.headers.get('location')]).toEqual([308, 'http://127.0.0.1:9/x']);
    expect(await charges(sandbox)).toBe(1);
  });

  it('speaks for the supplier in its own words', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST faults', { kind: 'rate_limited', retry_after: 2, match: { side: 'supplier' } });
    await balanceOf(sandbox);
    const answer = await sandbox.call('GET /api/admin/v2/orders');
    expect(answer).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT', retry_after_ms: 2000 } });
  });

  it('never answers, drops after a while, or answers drop by drop', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST faults', { kind: 'hang' });
    const impatient = fetch(`${sandbox.origin}/v1/balance`, { signal: AbortSignal.timeout(60) });
    await expect(impatient).rejects.toThrow();
    await sandbox.steer('POST faults', { kind: 'drop_after_ms', ms: 500 });
    const dropped = sandbox.call('GET /v1/balance').catch(() => 'dropped');
    await eventually(async () => (await ledgerOf(sandbox)).requests[1]?.['fault']).toBe('drop_after_ms');
    await sandbox.clock.pass(500);
    expect(await dropped).toBe('dropped');
    await sandbox.steer('POST faults', { kind: 'drip', ms: 10 });
    const dripping = sandbox.call('GET /v1/balance');
    await eventually(async () => (await ledgerOf(sandbox)).requests[2]?.status).toBe(200);
    await sandbox.clock.pass(1000);
    expect(await dripping).toMatchObject({ status: 200, body: { success: true } });
  });

  it('is used up by the calls that match it, the oldest first', async () => {
    const sandbox = await openSandbox();
    const match = { method: 'GET', path: '/v1/orders/:id', side: 'buyer' };
    await sandbox.steer('POST faults', { kind: 'status', status: 500, times: 2, match });
    await sandbox.steer('POST faults', { kind: 'status', status: 503, match });
    const status = async (what: string) => (await sandbox.call(what)).status;
    expect(await status('GET /v1/orders/active')).toBe(200);
    expect(await status('GET /v1/orders/7')).toBe(500);
    expect(await status('GET /v1/orders/7/reactivate-options')).toBe(404);
    expect(await status('GET /v1/orders/7')).toBe(500);
    expect((await sandbox.steer('GET faults')).body).toMatchObject({ faults: [{ status: 503, times: 1 }] });
    expect(await status('GET /v1/orders/7')).toBe(503);
    expect(await status('GET /v1/orders/7')).toBe(404);
    await sandbox.steer('POST faults', { kind: 'hang', times: 99 });
    await sandbox.steer('DELETE faults');
    expect(await status('GET /v1/balance')).toBe(200);
  });

  it('is refused with a reason when it makes no sense', async () => {
    const { call } = await openSandbox();
    for (const [fault, reason] of [
      [{}, /kind/],
      [{ kind: 'explode' }, /kind/],
      [{ kind: 'delay' }, /ms/],
      [{ kind: 'delay', ms: -1 }, /ms/],
      [{ kind: 'delay', ms: 1, time: 2 }, /time/],
      [{ kind: 'hang', times: 0 }, /times/],
      [{ kind: 'hang', match: { path: 'v1' } }, /match\.path/],
      [{ kind: 'hang', match: { side: 'left' } }, /match\.side/],
      [{ kind: 'status' }, /status/],
      [{ kind: 'webhook_drop', match: { path: '/v1' } }, /path/],
    ] as const) {
      const answer = await call('POST /_sandbox/faults', fault);
      expect(answer.status, JSON.stringify(fault)).toBe(422);
      expect(JSON.stringify(answer.body)).toMatch(reason);
    }
  });
});

it.each([
  [
    { type: 'resetAfter', path: '/v1/orders/create', count: 2 },
    { kind: 'reset_after', times: 2 },
  ],
  [{ fault: 'half-body', method: 'POST', match: { path: '/v1/orders/create' } }, { kind: 'half_body' }],
  [
    { kind: 429, retryAfter: 7, path: '/v1/orders/create' },
    { kind: 'rate_limited', retry_after: 7 },
  ],
  [{ kind: 'HTML 502', n: 1, path: '/v1/orders/create' }, { kind: 'html_502' }],
  [
    { kind: 'latency', delay_ms: 5, path: '/v1/orders/create' },
    { kind: 'delay', ms: 5 },
  ],
])('is understood in other words: %o', async (words, fault) => {
  const { steer } = await openSandbox();
  expect((await steer('POST faults', words)).body).toMatchObject({
    faults: [{ ...fault, match: { path: '/v1/orders/create' } }],
  });
});

it('may leave the base of a path out, and a refusal shows how it is done', async () => {
  const { call, steer } = await openSandbox();
  await steer('POST faults', { kind: 'html_502', match: { path: '/balance' } });
  expect(await call('GET /v1/balance')).toMatchObject({ status: 502 });
  expect(await call('GET /v1/balance')).toMatchObject({ status: 200 });
  const refused = await call('POST /_sandbox/faults', { kind: 'earthquake' });
  expect(JSON.stringify(refused.body)).toMatch(/reset_after.*For example: /);
});

it('matches paths by prefix, or whole with ids', () => {
  expect(pathMatches('/v1/orders', '/v1/orders/create')).toBe(true);
  expect(pathMatches('/v1/orders/:id', '/v1/orders/12')).toBe(true);
  expect(pathMatches('/v1/orders/:id', '/v1/orders/active')).toBe(false);
  expect(pathMatches('/v1/orders/:id', '/v1/orders/12/reactivate-options')).toBe(false);
  expect(pathMatches('/api/admin/v2/orders/:id/accounts-bulk', '/api/admin/v2/orders/a1/accounts-bulk')).toBe(
    true,
  );
});
