import { describe, expect, it } from 'vitest';
import { deliveryRequest } from '../../../src/domain/supplier/request-body.ts';
import { instant } from '../../../src/domain/time.ts';
import { PULL_LIMIT } from '../../../src/flows/supplier/pull-orders.ts';
import type { ReadReply } from '../../../src/ports/numbers-api.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import type { HttpResult } from '../../../src/upstream/http.ts';
import { notConfiguredSupplier } from '../../../src/upstream/supplier/not-configured.ts';
import { answered, unanswered } from '../support/fake-upstream.ts';
import { anyOrder, fakeSupplier, supplierOrderId } from './support.ts';

const orderId = supplierOrderId('a1');
const LINES = ['User-1:pass-1', 'tok"en\\2'];
const delivery = deliveryRequest({
  orderId,
  status: 'PARTIAL',
  lines: LINES,
  externalId: null,
  externalPrice: null,
});

function failed(status: number, error: unknown, more: object = {}): HttpResult {
  return answered(status, { error, message: 'Some words', ...more });
}

async function delivered(result: HttpResult, key?: string) {
  const upstream = fakeSupplier(() => result, key);
  const reply = await upstream.api.sendDelivery(delivery);
  expect(upstream.calls).toHaveLength(1);
  expect(upstream.slots.held()).toBe(0);
  expect(upstream.counted).toEqual([{ operation: 'orders-update', result: reply.kind }]);
  return reply;
}

describe('a delivery', () => {
  it('goes out as it was stored, once, with the key in one header', async () => {
    const upstream = fakeSupplier(() => answered(200, {}));
    await upstream.api.sendDelivery(delivery);
    expect(upstream.calls).toEqual([
      {
        operation: 'orders-update',
        method: 'POST',
        url: 'https://supplier.example/v2/orders-update',
        token: 'secret-key',
        body: delivery.body,
        deadline: upstream.clock.now() + 15_000,
      },
    ]);
  });

  it('goes by the endpoint it was stored with, without the spacing of updates', async () => {
    const upstream = fakeSupplier(() => answered(200, {}));
    const bulk = { endpoint: '/orders/a1/accounts-bulk', body: '{"status":"partial","accounts":["x"]}' };
    expect(await upstream.api.sendDelivery(bulk)).toEqual({ kind: 'accepted' });
    expect(await upstream.api.sendDelivery(bulk)).toEqual({ kind: 'accepted' });
    expect(upstream.calls.map(({ url, body }) => ({ url, body }))).toEqual(
      Array(2).fill({ url: 'https://supplier.example/v2/orders/a1/accounts-bulk', body: bulk.body }),
    );
  });

  it.each([
    [200, {}],
    [200, { success: true, error: null, orders: 'whatever' }],
    [201, { ok: 1.5 }],
  ])('is accepted by %i %j', async (status, body) => {
    expect(await delivered(answered(status, body))).toEqual({ kind: 'accepted' });
  });

  it.each([
    'API_KEY_REQUIRED',
    'INVALID_API_KEY',
    'ORDER_NOT_FOUND',
    'ACCESS_DENIED',
    'PAYMENT_NOT_COMPLETED',
    'INVALID_ACCOUNTS',
  ])('is refused by %s, whatever the status', async (code) => {
    for (const status of [200, 302, 400, 404, 418, 429, 500]) {
      expect(await delivered(failed(status, code))).toEqual({
        kind: 'refused',
        code,
        message: 'Some words',
      });
    }
  });

  it.each(['RATE_LIMIT', 'CONCURRENCY_LIMIT', 'ORDER_DELIVERY_BUSY'])(
    'waits for %s, whatever the status',
    async (code) => {
      for (const status of [200, 400, 409, 429, 503]) {
        expect(await delivered(failed(status, code, { retry_after_ms: 137 }))).toEqual({
          kind: 'wait',
          code,
          retryAfterMs: 137,
        });
      }
    },
  );

  it.each([
    [undefined, 1_000],
    [null, 1_000],
    ['250', 1_000],
    [true, 1_000],
    [0, 1_000],
    [-137, 1_000],
    [13.7, 1_000],
    [1, 1],
    [5_000, 5_000],
    [9e15, 300_000],
  ])('B13: retry_after_ms %j means %i', async (retry_after_ms, retryAfterMs) => {
    expect(await delivered(failed(429, 'RATE_LIMIT', { retry_after_ms }))).toMatchObject({ retryAfterMs });
  });

  it('B13: a number no double holds is none', async () => {
    const body = '{"error":"RATE_LIMIT","message":"","retry_after_ms":1e400}';
    expect(await delivered(answered(429, body))).toMatchObject({ kind: 'wait', retryAfterMs: 1_000 });
  });

  it.each([
    ['<html>slow down</html>', 1_000],
    [{ error: 'DAILY_LIMIT', retry_after_ms: 42 }, 42],
  ])('any other 429 is a wait, too: %j', async (body, retryAfterMs) => {
    expect(await delivered(answered(429, body))).toEqual({ kind: 'wait', code: 'HTTP_429', retryAfterMs });
  });

  it.each([
    ['SOMETHING_NEW', 400],
    ['words, not a code', 422],
    ['OTHER', 403],
  ])('is refused as OTHER by %j under %i', async (code, status) => {
    expect(await delivered(failed(status, code))).toEqual({
      kind: 'refused',
      code: 'OTHER',
      message: 'Some words',
    });
  });

  it.each<[string, HttpResult]>([
    ['an unknown code under 200', failed(200, 'SOMETHING_NEW')],
    ['5xx with a code that nobody knows', failed(500, 'SOMETHING_NEW')],
    ['5xx that says success', answered(502, { success: true })],
    ['HTML under 403', answered(403, '<html></html>')],
    ['an error that is no text', answered(200, { error: { code: 'RATE_LIMIT' } })],
    ['an error that is empty', answered(400, { error: '' })],
    ['success that is false', answered(200, { success: false })],
    ['success under 404', answered(404, { success: true })],
    ['a redirect', answered(307, { success: true })],
    ['a list', answered(200, '[]')],
    ['a number', answered(200, '1.5')],
    ['nothing', answered(200, '')],
    ['half an object', answered(200, '{"success": tr')],
    ['equal keys', answered(200, '{"success": true, "success": true}')],
    ['a key twice, one of them a code', answered(200, '{"error": "ACCESS_DENIED", "error": null}')],
    ['bytes that are no UTF-8', answered(200, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))],
    ['no connection', unanswered('connect')],
    ['a timeout', unanswered('timeout')],
    ['a broken connection', unanswered('broken')],
    ['an endless body', unanswered('too-large')],
  ])('is unclear after %s', async (_, result) => {
    const reply = await delivered(result);
    expect(reply).toEqual({ kind: 'unclear', why: expect.any(String) });
  });
});

describe('the message of a refusal', () => {
  const message = async (text: unknown, key?: string) => {
    const reply = await delivered(answered(400, { error: 'ACCESS_DENIED', message: text }), key);
    return reply.kind === 'refused' ? reply.message : null;
  };
  const ours = 'The supplier API refused the delivery.';

  it('is cut at 200 characters, none of them half, and holds no line break', async () => {
    expect(await message('😀'.repeat(220))).toBe('😀'.repeat(200));
    expect(await message(' two\r\nlines\u2028and a \0 NUL ')).toBe('two lines\u2028and a   NUL');
  });

  it.each([
    'Line User-1:pass-1 is taken',
    'line user-1:PASS-1 is taken',
    `${'x'.repeat(195)}User-1:pass-1`,
    'bad: tok"en\\2',
    'x'.repeat(501),
    ' \n',
    17,
    undefined,
  ])('gives way to ours: %j', async (text) => {
    expect(await message(text)).toBe(ours);
  });

  it('never tells the key', async () => {
    expect(await message('The key S3cret-Key is not yours', 's3cret-key')).toBe(ours);
  });

  it('is ours where the lines cannot be told from the body', async () => {
    const upstream = fakeSupplier(() => failed(400, 'ACCESS_DENIED'));
    expect(await upstream.api.sendDelivery({ endpoint: '/orders-update', body: '{"accounts":7}' })).toEqual({
      kind: 'refused',
      code: 'ACCESS_DENIED',
      message: ours,
    });
  });

  it('looks for each line of an element that holds several', async () => {
    const upstream = fakeSupplier(() => answered(400, { error: 'ACCESS_DENIED', message: 'no: l2' }));
    const body = '{"accounts":["l1\\r\\nl2 \\r\\n", 3]}';
    const reply = await upstream.api.sendDelivery({ endpoint: '/orders-update', body });
    expect(reply).toMatchObject({ message: ours });
  });
});

describe('a read', () => {
  const read = async (result: HttpResult) => {
    const upstream = fakeSupplier(() => result);
    const reply = await upstream.api.orders(anyOrder, { limit: 10, offset: 0 });
    return { reply, ...upstream };
  };

  it.each<[string, HttpResult, object]>([
    ['API_KEY_REQUIRED', failed(401, 'API_KEY_REQUIRED'), { kind: 'unauthorized', httpStatus: 401 }],
    ['INVALID_API_KEY under 200', failed(200, 'INVALID_API_KEY'), { kind: 'unauthorized', httpStatus: 200 }],
    [
      'ACCESS_DENIED',
      failed(403, 'ACCESS_DENIED'),
      { kind: 'refused', httpStatus: 403, code: 'ACCESS_DENIED' },
    ],
    ['a new code', failed(400, 'NEW'), { kind: 'refused', httpStatus: 400, code: 'NEW' }],
    ['words for a code', failed(400, 'no\ncode'), { kind: 'refused', httpStatus: 400, code: 'HTTP_400' }],
    ['5xx', answered(503, '<html>', 7), { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: 7 }],
    ['no answer', unanswered('broken'), { kind: 'unavailable', httpStatus: null, retryAfterSeconds: null }],
    ['no JSON', answered(200, '{"orders": ['), { kind: 'malformed', httpStatus: 200 }],
    ['no object', answered(200, '[]'), { kind: 'malformed', httpStatus: 200 }],
    ['no list', answered(200, { success: true }), { kind: 'malformed', httpStatus: 200 }],
    ['a list that is none', answered(200, { orders: {} }), { kind: 'malformed', httpStatus: 200 }],
    ['HTML under 403', answered(403, '<html>'), { kind: 'malformed', httpStatus: 403 }],
  ])('comes to a closed reply after %s, and is not repeated', async (_, result, expected) => {
    const { reply, calls, slots, counted } = await read(result);
    expect(reply).toEqual(expected);
    expect(calls).toHaveLength(1);
    expect(slots.held()).toBe(0);
    expect(counted).toEqual([{ operation: 'orders', result: reply.kind }]);
  });
});

describe('429', () => {
  const claim = { orders: [{ id: 'a1', quantity: 1 }] };
  const calls: [string, (api: SupplierApi) => Promise<ReadReply<unknown>>, object][] = [
    ['pull', (api) => api.pull(3), claim],
    ['orders', (api) => api.orders(anyOrder, { limit: 3, offset: 6 }), claim],
    ['setLastProcessTime', (api) => api.setLastProcessTime(orderId, instant(0)), {}],
  ];

  it.each(calls)(
    'is waited out exactly by %s, which then sends the very same request',
    async (_, call, body) => {
      const upstream = fakeSupplier((_call, number) =>
        number === 1
          ? failed(429, 'CONCURRENCY_LIMIT', { retry_after_ms: 5_000 })
          : number === 2
            ? failed(429, 'RATE_LIMIT', { retry_after_ms: 137 })
            : answered(200, body),
      );
      const startedAt = upstream.clock.now();
      const reply = await call(upstream.api);
      expect(upstream.clock.sleeps).toEqual([5_000, 137]);
      expect(reply).toMatchObject({ kind: 'read', readAt: startedAt + 5_137 });
      const [first, ...again] = upstream.calls;
      expect(again).toHaveLength(2);
      for (const { deadline, ...same } of again)
        expect({ ...same, deadline: 0 }).toEqual({ ...first, deadline: 0 });
      expect(upstream.counted.map(({ result }) => result)).toEqual(['wait', 'wait', 'read']);
    },
  );

  it.each(calls)('B13: one that never ends is given up by %s within 12 s', async (_, call) => {
    const upstream = fakeSupplier(() => failed(429, 'CONCURRENCY_LIMIT', { retry_after_ms: 5_000 }));
    expect(await call(upstream.api)).toEqual({ kind: 'throttled', retryAfterSeconds: 5 });
    expect(upstream.clock.sleeps).toEqual([5_000, 5_000]);
  });

  it('leaves a pull no send that could end after its answer counts as lost', async () => {
    // Waits of 1 ms would use up the sends, and 5 s overshoot: these come as close to the end as can be.
    const upstream = fakeSupplier(() => failed(429, 'RATE_LIMIT', { retry_after_ms: 999 }));
    const startedAt = upstream.clock.now();
    await upstream.api.pull(1);
    const last = upstream.calls.at(-1)?.deadline ?? Number.NaN;
    expect(last - startedAt).toBeGreaterThan(26_000);
    expect(last - startedAt).toBeLessThan(PULL_LIMIT - 2_000);
  });

  it('B13: and after 20 sends, however short the waits', async () => {
    const upstream = fakeSupplier(() => failed(429, 'RATE_LIMIT', { retry_after_ms: 1 }));
    expect(await upstream.api.pull(1)).toEqual({ kind: 'throttled', retryAfterSeconds: 1 });
    expect(upstream.calls).toHaveLength(20);
  });

  it.each(calls)('%s is not repeated when its end is unclear', async (_, call) => {
    for (const end of [unanswered('timeout'), answered(502, ''), answered(200, '[')]) {
      const upstream = fakeSupplier(() => end);
      expect(['unavailable', 'malformed']).toContain((await call(upstream.api)).kind);
      expect(upstream.calls).toHaveLength(1);
    }
  });
});

describe('a side without its key', () => {
  it('says so, and sends nothing', async () => {
    const api = notConfiguredSupplier();
    expect(await api.pull(1)).toEqual({ kind: 'not-configured' });
    expect(await api.orders(anyOrder, { limit: 1, offset: 0 })).toEqual({ kind: 'not-configured' });
    expect(await api.setLastProcessTime(orderId, null)).toEqual({ kind: 'not-configured' });
    expect(await api.sendDelivery(delivery)).toMatchObject({ kind: 'unclear' });
  });
});
