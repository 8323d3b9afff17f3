import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './support/gateway.ts';

const sign = (body: string | Buffer, secret = 'sandbox-secret'): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const event = (data: Record<string, unknown>, name = 'order.otp_received'): string =>
  JSON.stringify({ event: name, timestamp: '2026-09-02T06:40:00Z', data });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' }, { bodyMilliseconds: 400 });
});
afterAll(() => gateway.close());

async function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
  to = gateway,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${to.url}/webhooks/smscode`, {
    method: 'POST',
    headers: { 'x-webhook-signature': sign(body), ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: response.status, text: await response.text() };
}

const counted = async (result: string): Promise<number> => {
  const text = await fetch(`${gateway.url}/metrics`).then((response) => response.text());
  return Number(new RegExp(`switchboard_webhooks_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

describe('a genuine event', () => {
  const body = event({ order_id: 7001, sms_revision: 1, otp_message: 'Ihr Code: 4711 — schön' });

  test('is 200, and so is its repeat, which is kept once', async () => {
    expect(await post(body)).toEqual({ status: 200, text: '{"received":true}' });
    expect(await post(body)).toEqual({ status: 200, text: '{"received":true}' });
    expect(await counted('stored')).toBe(1);
    expect(await counted('duplicate')).toBe(1);
  });

  test.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
    'application/json; charset=utf-16',
  ])('is taken as %j', async (type) => {
    expect((await post(body, { 'content-type': type })).status).toBe(200);
  });

  test.each([
    ['webhook.test', event({ message: 'hello' }, 'webhook.test')],
    ['an event of no known name', event({ order_id: 7002 }, 'order.exploded')],
    ['a revision that is no integer', event({ order_id: 7003, sms_revision: '1', otp_message: 'x' })],
    [
      'line breaks and a byte order mark',
      `\ufeff\r\n${event({ order_id: 7004, sms_revision: 1, otp_message: 'x' })}\r\n`,
    ],
  ])('%s is 200', async (_what, text) => {
    expect((await post(text)).status).toBe(200);
  });
});

test.each([
  ['broken JSON', '{"event": "order.otp_rec'],
  ['a list', '[1, 2]'],
  ['nothing', ''],
  ['no UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
])('well signed, but %s: 400', async (_what, body) => {
  expect((await post(body)).status).toBe(400);
});

test.each([
  ['none', { 'x-webhook-signature': '' }],
  ['that of another secret', { 'x-webhook-signature': sign('{}', 'another') }],
  ['another scheme', { 'x-webhook-signature': sign('{}').replace('sha256', 'sha1') }],
  ['upper case', { 'x-webhook-signature': sign('{}').toUpperCase() }],
  ['too short', { 'x-webhook-signature': 'sha256=ab' }],
  ['two', { 'x-webhook-signature': `${sign('{}')}, ${sign('{}')}` }],
  ['not hex', { 'x-webhook-signature': `sha256=${'zz'.repeat(32)}` }],
])('a signature that is %s: 401, and nothing is kept', async (_what, headers) => {
  const before = await counted('stored');
  expect((await post('{}', headers)).status).toBe(401);
  expect(await counted('stored')).toBe(before);
});

test('a flood of forgeries is told of in one line', async () => {
  const tellings = (): number =>
    gateway.log.filter((line) => line.includes('without a good signature')).length;
  const before = tellings();
  await Promise.all(Array.from({ length: 50 }, () => post('{}', { 'x-webhook-signature': 'sha256=00' })));
  expect(tellings()).toBeLessThanOrEqual(before + 1);
});

test('256 KiB are taken, one byte more is 413', async () => {
  const padded = (size: number): string => {
    const bare = event({ order_id: 7005, sms_revision: 1, otp_message: 'x', pad: '' });
    return bare.replace('"pad":""', `"pad":"${'x'.repeat(size - bare.length)}"`);
  };
  expect((await post(padded(256 * 1024))).status).toBe(200);
  expect((await post(padded(256 * 1024 + 1))).status).toBe(413);
});

test('a body that does not come to its end is 408', async () => {
  const response = await fetch(`${gateway.url}/webhooks/smscode`, {
    method: 'POST',
    headers: { 'x-webhook-signature': 'sha256=00' },
    body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) }),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(408);
});

describe('with WEBHOOK_ALLOWED_IPS', () => {
  test('others are 403, whatever they sign', async () => {
    const closed = await startGateway({ WEBHOOK_ALLOWED_IPS: '203.0.113.7' });
    expect((await post(event({}, 'webhook.test'), {}, closed)).status).toBe(403);
    // Nobody in front is trusted, so nobody's word counts.
    expect((await post(event({}, 'webhook.test'), { 'x-forwarded-for': '203.0.113.7' }, closed)).status).toBe(
      403,
    );
    await closed.close();
  });

  test('behind a trusted proxy its word counts, and only its last one', async () => {
    const behind = await startGateway({ WEBHOOK_ALLOWED_IPS: '203.0.113.0/24', TRUST_PROXY: '1' });
    const from = (forwarded: string): ReturnType<typeof post> =>
      post(event({}, 'webhook.test'), { 'x-forwarded-for': forwarded }, behind);
    expect((await from('203.0.113.7')).status).toBe(200);
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(403);
    await behind.close();
  });
});

test('what cannot be stored is 503, so that it is sent again', async () => {
  const broken = await startGateway();
  // The database goes away under the running gateway.
  await broken.breakStore();
  expect((await post(event({ order_id: 1, sms_revision: 1, otp_message: 'x' }), {}, broken)).status).toBe(
    503,
  );
  const ready = await fetch(`${broken.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: 'not ready', reasons: ['the store cannot be written to'] });
  expect((await fetch(`${broken.url}/healthz`)).status).toBe(200);
  await broken.close();
});

test('nothing of a message is in the log', () => {
  expect(gateway.log.join('')).not.toContain('4711');
  expect(gateway.log.join('')).not.toContain('sandbox-secret');
});
