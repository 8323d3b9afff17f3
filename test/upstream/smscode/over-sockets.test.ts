import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { later } from '../../../src/domain/time.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { createGate } from '../../../src/upstream/gate.ts';
import { createSmscodeApi } from '../../../src/upstream/smscode/client.ts';
import { key, order } from '../support/ids.ts';
import { openHttp, openServer, TOKEN } from '../support/open-http.ts';
import { countingRandom, keptLog } from '../support/parts.ts';
import { type RawServer, rawServer, whole } from '../support/raw-server.ts';

function apiTo(url: string, places = 8): NumbersApi {
  return createSmscodeApi({
    webhookSecret: null,
    baseUrl: `${url}/v1`,
    token: TOKEN,
    http: openHttp().http,
    gate: createGate(places, systemClock),
    clock: systemClock,
    random: countingRandom(),
    log: keptLog().log,
    metrics: { upstreamCall: () => {} },
  });
}

const pay = (api: NumbersApi) =>
  api.sendPaid({
    endpoint: '/orders/create',
    body: '{"catalog_product_id":88,"quantity":1}',
    idempotencyKey: key('job-1'),
  });

const item =
  '{"id":90210,"status":"ACTIVE","product_id":1024,"amount":750000,"otp_code":null,"can_finish":false,' +
  '"can_resend":false,"can_cancel":false,"can_replace":false,"can_reactivate":false,"resend_available_at":null,' +
  '"cancel_available_at":null,"replace_available_at":null}';
const created = (order: string) => `{"success":true,"data":{"orders":[${order}],"failed_count":0}}`;

async function paidFor(answer: Buffer, end = false) {
  const upstream = await openServer((socket) => (end ? socket.end(answer) : socket.write(answer)));
  const reply = await pay(apiTo(upstream.url));
  expect(upstream.requests).toHaveLength(1);
  return reply;
}

describe('a paid request over a real socket', () => {
  it('arrives with its key and its very bytes, and its answer is read', async () => {
    const upstream: RawServer = await openServer((socket) =>
      socket.write(whole(200, gzipSync(created(item)), 'Content-Encoding: gzip')),
    );
    expect(await pay(apiTo(upstream.url))).toMatchObject({
      kind: 'made',
      orders: [{ id: 90210, amount: 750_000 }],
    });
    const [request] = upstream.requests;
    expect(request?.head).toMatch(/^POST \/v1\/orders\/create HTTP\/1\.1/);
    expect(request?.head.toLowerCase()).toContain('idempotency-key: job-1');
    expect(request?.head).toContain(`Bearer ${TOKEN}`);
    expect(request?.body).toBe('{"catalog_product_id":88,"quantity":1}');
  });

  it.each<[string, string | Uint8Array]>([
    ['B6: HTML', '<html><body>maintenance</body></html>'],
    ['B6: invalid UTF-8', Buffer.from(created(item.replace('ACTIVE', 'ACTIV\u00ff')), 'latin1')],
    ['B6: a byte order mark', `\ufeff${created(item)}`],
    ['B6: UTF-16, whatever the charset says', Buffer.from(created(item), 'utf16le')],
    ['B7: two ids', created(item.replace('"id":90210', '"id":90210,"id":90211'))],
    ['B7: two statuses', created(item.replace('"status"', '"status":"EXPIRED","status"'))],
  ])('%s: malformed', async (_name, body) => {
    expect(await paidFor(whole(200, body, 'Content-Type: application/json; charset=utf-16'))).toMatchObject({
      kind: 'malformed',
    });
  });

  it.each([
    ['2^53+1', item.replace('750000', '9007199254740993')],
    ['1e400', item.replace('750000', '1e400')],
    ['1.0', item.replace('90210', '90210.0')],
    ['an id as text', item.replace('90210', '"90210"')],
    ['true for 1', item.replace('1024', 'true')],
    ['an id beyond int32', item.replace('90210', '2147483648')],
    ['__proto__', item.replace('{', '{"__proto__":{"phone_number":"+1"},')],
    ['constructor', item.replace('{', '{"constructor":1,')],
  ])('B8, B9: %s is no create', async (_name, bad) => {
    expect(await paidFor(whole(200, created(bad)))).toEqual({ kind: 'malformed-success', httpStatus: 200 });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('B8: -0 is 0', async () => {
    const reply = await paidFor(whole(200, created(item.replace('750000', '-0'))));
    expect(reply.kind === 'made' && Object.is(reply.orders[0]?.amount, 0)).toBe(true);
  });

  it('B3, B4: half an answer is ambiguous, however the connection ended', async () => {
    const half = created(item).slice(0, 60);
    const closed = Buffer.from(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${half}`);
    expect(await paidFor(closed, true)).toMatchObject({ kind: 'malformed' });
    expect(await paidFor(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n${half}`), true)).toEqual(
      {
        kind: 'transport',
      },
    );
  });

  it('B5: larger than any create is: its end is not known', async () => {
    expect(await paidFor(whole(200, `{"x":"${'x'.repeat(2_000_000)}"}`))).toEqual({ kind: 'transport' });
  });

  it('B11: a redirect takes neither key nor token elsewhere', async () => {
    const other = await openServer((socket) => socket.write(whole(200, created(item))));
    expect(await paidFor(whole(307, '', `Location: ${other.url}/v1/orders/create`))).toMatchObject({
      kind: 'malformed',
      httpStatus: 307,
    });
    await sleep(30);
    expect(other.connections()).toBe(0);
  });

  it('B1: nobody there', async () => {
    const upstream = await rawServer(() => {});
    await upstream.close();
    expect(await pay(apiTo(upstream.url))).toEqual({ kind: 'transport' });
  });

  it('B10: a reset on a connection used before is one send, not two', async () => {
    const upstream = await openServer((socket, { number }) => {
      if (number === 1) socket.write(whole(200, '{"success":true,"data":{"currency":"IDR","balance":1}}'));
      else socket.resetAndDestroy();
    });
    const api = apiTo(upstream.url);
    await api.balance();
    await sleep(20);
    expect(await pay(api)).toEqual({ kind: 'transport' });
    await sleep(100);
    expect(upstream.requests).toHaveLength(2);
    expect(upstream.connections()).toBe(1);
  });
});

describe('reads over a real socket', () => {
  it('B2: a deadline given cuts a drip', async () => {
    const upstream = await openServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const startedAt = systemClock.now();
    const reply = await apiTo(upstream.url).order(order(1), later(startedAt, 200));
    expect(reply).toMatchObject({ kind: 'unavailable', httpStatus: null });
    expect(systemClock.now() - startedAt).toBeLessThan(1_000);
    await upstream.allClosed();
  });

  it('B16: another order’s snapshot is none', async () => {
    const upstream = await openServer((socket) =>
      socket.write(whole(200, '{"success":true,"data":{"id":2,"status":"OTP_RECEIVED"}}')),
    );
    expect(await apiTo(upstream.url).order(order(1))).toEqual({ kind: 'malformed', httpStatus: 200 });
  });

  it('B12: after a throttle told in seconds the read is tried again', async () => {
    const upstream = await openServer((socket, { number }) =>
      socket.write(
        number === 1
          ? whole(429, '{}', 'Retry-After: 1')
          : whole(200, '{"success":true,"data":{"currency":"IDR","balance":5}}'),
      ),
    );
    const startedAt = systemClock.now();
    expect(await apiTo(upstream.url).balance()).toMatchObject({ kind: 'read', value: { amount: 5 } });
    expect(systemClock.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  });

  it('no more than the places there are go out at once, a paid request before the reads that wait', async () => {
    const paths: string[] = [];
    let under = 0;
    let most = 0;
    const upstream = await openServer((socket, { head }) => {
      const path = head.split(' ')[1] ?? '';
      paths.push(path);
      most = Math.max(most, ++under);
      setTimeout(() => {
        under--;
        socket.write(whole(404, '{"success":false,"error":{"code":"NOT_FOUND","message":""}}'));
      }, 30);
    });
    const api = apiTo(upstream.url, 2);
    await Promise.all([...[1, 2, 3, 4, 5, 6].map((id) => api.order(order(id))), pay(api)]);
    expect(most).toBe(2);
    expect(paths).toHaveLength(7);
    expect(paths.indexOf('/v1/orders/create')).toBe(2);
  });
});
