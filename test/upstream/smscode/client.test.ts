import { describe, expect, it } from 'vitest';
import { later, SECOND } from '../../../src/domain/time.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { MIB } from '../../../src/upstream/http.ts';
import { notConfigured } from '../../../src/upstream/smscode/not-configured.ts';
import {
  answered,
  everything,
  failed,
  fakeUpstream,
  succeeded,
  unanswered,
} from '../support/fake-upstream.ts';
import { country, key, order, platform } from '../support/ids.ts';

const id = order(90210);
const filter = {
  operatorId: null,
  countryId: country(31),
  platformId: platform(9),
};
const paid = {
  endpoint: '/orders/create',
  body: '{"catalog_product_id":88,"quantity":1}',
  idempotencyKey: key('job-1'),
};

const reads: readonly [string, string, (api: NumbersApi) => Promise<{ kind: string }>][] = [
  ['countries', '/catalog/countries', (api) => api.countries()],
  ['services', '/catalog/services', (api) => api.services(null)],
  ['services', '/catalog/services?country_id=31', (api) => api.services(country(31))],
  ['products', '/catalog/products?limit=2000&page=1&sort=name_asc', (api) => api.products(everything)],
  [
    'products',
    '/catalog/products?country_id=31&platform_id=9&limit=2000&page=1&sort=name_asc',
    (api) => api.products(filter),
  ],
  [
    'operators',
    '/catalog/operators?country_id=31&platform_id=9',
    (api) => api.operators(filter.countryId, filter.platformId),
  ],
  ['exchange-rate', '/catalog/exchange-rate?pair=USD%2FIDR', (api) => api.exchangeRate('USD/IDR')],
  ['exchange-rate', '/catalog/exchange-rate?pair=%26x%3D1%23', (api) => api.exchangeRate('&x=1#')],
  ['balance', '/balance', (api) => api.balance()],
  ['order', '/orders/90210', (api) => api.order(id)],
  ['active-orders', '/orders/active', (api) => api.activeOrders()],
  ['orders', '/orders?limit=100&offset=200', (api) => api.orders({ limit: 100, offset: 200 })],
  ['reactivation-quote', '/orders/90210/reactivate-options', (api) => api.reactivationQuote(id)],
  ['webhook', '/webhook', (api) => api.webhook()],
];

const changes: readonly [
  string,
  string,
  string | undefined,
  (api: NumbersApi) => Promise<{ kind: string }>,
][] = [
  ['create', 'POST /orders/create', paid.body, (api) => api.sendPaid(paid)],
  [
    'reactivate',
    'POST /orders/reactivate',
    '{}',
    (api) => api.sendPaid({ ...paid, endpoint: '/orders/reactivate', body: '{}' }),
  ],
  ['cancel', 'POST /orders/cancel', '{"id":90210}', (api) => api.cancel(id)],
  ['finish', 'POST /orders/finish', '{"id":90210}', (api) => api.finish(id)],
  ['resend', 'POST /orders/resend', '{"id":90210}', (api) => api.resend(id)],
  [
    'set-webhook',
    'PATCH /webhook',
    '{"webhook_url":"https://a.example/"}',
    (api) => api.setWebhookUrl('https://a.example/'),
  ],
  ['test-webhook', 'POST /webhook/test', undefined, (api) => api.testWebhook()],
];

describe('what is asked for', () => {
  it.each(reads)('%s: GET %s', async (operation, path, read) => {
    const { api, calls, counted, startedAt } = fakeUpstream(() => failed(404, 'NOT_FOUND'));
    expect(await read(api)).toEqual({ kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      operation,
      method: 'GET',
      url: `https://upstream.example/v1${path}`,
      token: 'token',
      deadline: later(startedAt, 30 * SECOND),
    });
    expect(counted).toEqual([{ operation, result: 'refused' }]);
  });

  it.each(changes)('%s: %s', async (operation, request, body, change) => {
    const { api, calls, counted, startedAt } = fakeUpstream(() => unanswered('timeout'));
    const { kind } = await change(api);
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(`${call?.method} ${call?.url.replace('https://upstream.example/v1', '')}`).toBe(request);
    expect(call?.body).toBe(body);
    expect(call?.deadline).toBe(later(startedAt, 30 * SECOND));
    expect(counted).toEqual([{ operation, result: kind }]);
  });

  it('a paid request goes out under its key, and nothing else has one', async () => {
    const { api, calls } = fakeUpstream(() => unanswered('broken'));
    await api.sendPaid(paid);
    await api.cancel(id);
    await api.balance();
    expect(calls.map((call) => call.headers)).toEqual([{ 'idempotency-key': 'job-1' }, undefined, undefined]);
  });

  it('only the catalog and the list of open orders may be large', async () => {
    const { api, calls } = fakeUpstream(() => failed(404, 'NOT_FOUND'));
    for (const [, , read] of reads) await read(api);
    const large = calls.filter((call) => call.mostBytes !== undefined);
    expect(new Set(large.map((call) => call.operation))).toEqual(new Set(['products', 'active-orders']));
    expect(large.every((call) => call.mostBytes === 64 * MIB)).toBe(true);
  });
});

describe('a throttled read', () => {
  it.each(reads)(
    '%s is tried again three times, after the waits of the contract',
    async (operation, _path, read) => {
      const { api, calls, clock, counted } = fakeUpstream(() => failed(429, 'RATE_LIMIT_EXCEEDED'));
      expect(await read(api)).toEqual({ kind: 'throttled', retryAfterSeconds: null });
      expect(clock.sleeps).toEqual([1_500, 2_500, 4_500]);
      expect(calls).toHaveLength(4);
      expect(new Set(calls.map((call) => call.url)).size).toBe(1);
      expect(counted).toEqual(Array(4).fill({ operation, result: 'throttled' }));
    },
  );

  it('waits as long as it is told, and then gets its answer', async () => {
    const good = succeeded({ currency: 'IDR', balance: 1 });
    const { api, clock, calls, startedAt } = fakeUpstream((_call, number) =>
      number === 1 ? answered(429, '', 7) : good,
    );
    expect(await api.balance()).toMatchObject({ kind: 'read', readAt: later(startedAt, 7 * SECOND) });
    expect(clock.sleeps).toEqual([7_000]);
    // The whole of it has thirty seconds, not each try.
    expect(calls.map((call) => call.deadline)).toEqual(Array(2).fill(later(startedAt, 30 * SECOND)));
  });

  it('does not wait for what its deadline does not allow', async () => {
    const { api, clock, calls, startedAt } = fakeUpstream(() => answered(429, '', 45));
    expect(await api.balance()).toEqual({ kind: 'throttled', retryAfterSeconds: 45 });
    expect(await api.order(id, later(startedAt, 45 * SECOND))).toMatchObject({ kind: 'throttled' });
    expect(clock.sleeps).toEqual([]);
    expect(calls).toHaveLength(2);
  });

  it('of a caller who waits long sleeps a minute at most, and each try has its thirty seconds', async () => {
    const { api, clock, calls, startedAt } = fakeUpstream(() => answered(429, '', 7_200));
    await api.order(id, later(startedAt, 300 * SECOND));
    expect(clock.sleeps).toEqual([60_000, 60_000, 60_000]);
    expect(calls.map((call) => call.deadline - startedAt)).toEqual([30_000, 90_000, 150_000, 210_000]);
  });

  it('is not asked at all past the deadline', async () => {
    const { api, calls, startedAt } = fakeUpstream(() => answered(200, ''));
    expect(await api.order(id, startedAt)).toEqual({
      kind: 'unavailable',
      httpStatus: null,
      retryAfterSeconds: null,
    });
    expect(calls).toHaveLength(0);
  });
});

describe('nothing else is ever sent twice', () => {
  it.each(changes)('%s', async (_operation, _request, _body, change) => {
    for (const answer of [
      answered(429, '', 1),
      answered(503, '', 1),
      unanswered('broken'),
      unanswered('connect'),
    ]) {
      const { api, calls, clock } = fakeUpstream(() => answer);
      await change(api);
      expect(calls).toHaveLength(1);
      expect(clock.sleeps).toEqual([]);
    }
  });

  it.each(reads)('%s that failed otherwise', async (_operation, _path, read) => {
    for (const answer of [
      answered(503, '', 1),
      unanswered('timeout'),
      unanswered('broken'),
      failed(401, 'UNAUTHORIZED'),
    ]) {
      const { api, calls } = fakeUpstream(() => answer);
      await read(api);
      expect(calls).toHaveLength(1);
    }
  });
});

describe('orders', () => {
  const active = (more: object) => ({ id: 1, status: 'ACTIVE', ...more });

  it('B16: the snapshot of another order is none', async () => {
    const { api } = fakeUpstream(() => succeeded({ id: 90211, status: 'OTP_RECEIVED' }));
    expect(await api.order(id)).toEqual({ kind: 'malformed', httpStatus: 200 });
  });

  it('one open order that cannot be read spoils itself alone', async () => {
    const { api } = fakeUpstream(() =>
      succeeded([
        active({ sms_revision: 1, otp_message: 'hello' }),
        active({ id: 2, status: 'PENDING' }),
        null,
        active({ id: '3' }),
        active({ id: 4, refund_amount: 1 }),
        active({ id: 5, can_cancel: 'yes' }),
      ]),
    );
    expect(await api.activeOrders()).toMatchObject({
      kind: 'read',
      value: {
        orders: [
          { id: 1, evidence: { message: 'hello' } },
          { id: 5, capabilities: {} },
        ],
        spoiled: 4,
      },
    });
  });

  it('a bad envelope spoils the read', async () => {
    for (const data of [{}, null, 'x', { orders: [] }]) {
      const { api } = fakeUpstream(() => succeeded(data));
      expect(await api.activeOrders()).toEqual({ kind: 'malformed', httpStatus: 200 });
      expect(await api.orders({ limit: 1, offset: 0 })).toEqual({ kind: 'malformed', httpStatus: 200 });
    }
  });

  it('the list of all orders has no holes: its length tells where it ends', async () => {
    const { api } = fakeUpstream(() => succeeded([active({}), active({ id: 2, status: 'PENDING' })]));
    expect(await api.orders({ limit: 2, offset: 0 })).toMatchObject({ kind: 'malformed' });
  });
});

describe('the account', () => {
  const settings = {
    webhook_url: 'https://a.example/',
    webhook_secret: 'canary-secret',
    webhook_disabled_at: null,
    webhook_disabled_reason: null,
    webhook_consecutive_failures: 3,
  };
  const webhook = (more: object) => fakeUpstream(() => succeeded({ ...settings, ...more })).api.webhook();

  it('the webhook secret goes no further', async () => {
    const reply = await webhook({});
    expect(reply).toMatchObject({
      kind: 'read',
      value: { secretSet: true, consecutiveFailures: 3, disabledAt: null },
    });
    expect(JSON.stringify(reply)).not.toContain('canary-secret');
    expect(await webhook({ webhook_secret: null })).toMatchObject({ value: { secretSet: false } });
    expect(await webhook({ webhook_secret: '' })).toMatchObject({ value: { secretSet: false } });
  });

  it('a disabled webhook is never read as an enabled one', async () => {
    const disabled = await webhook({
      webhook_disabled_at: '2026-09-01T22:08:41Z',
      webhook_disabled_reason: 'x',
    });
    expect(disabled).toMatchObject({
      value: { disabledAt: Date.UTC(2026, 8, 1, 22, 8, 41), disabledReason: 'x' },
    });
    for (const at of ['yesterday', 1, true]) {
      expect(await webhook({ webhook_disabled_at: at })).toMatchObject({ kind: 'malformed' });
    }
  });

  it('the quote is no less than nothing', async () => {
    const quote = (cost: unknown) => fakeUpstream(() => succeeded({ cost })).api.reactivationQuote(id);
    expect(await quote(0)).toMatchObject({ kind: 'read', value: 0 });
    for (const cost of [-1, '5', null]) expect(await quote(cost)).toMatchObject({ kind: 'malformed' });
  });

  it('the rate must be of the pair asked for', async () => {
    const rate = { pair: 'USD/IDR', base_currency: 'USD', quote_currency: 'IDR', rate: 16_385 };
    const { api, startedAt } = fakeUpstream(() => succeeded(rate));
    expect(await api.exchangeRate('USD/IDR')).toMatchObject({
      value: { pair: 'USD/IDR', base: 'USD', quote: 'IDR', rate: 16_385, asOf: startedAt },
    });
    expect(await api.exchangeRate('EUR/IDR')).toMatchObject({ kind: 'malformed' });
  });
});

describe('a side without its token', () => {
  it.each([...reads, ...changes.slice(2).map(([name, path, , call]) => [name, path, call] as const)])(
    '%s %s: not configured',
    async (_operation, _path, call) => {
      expect(await call(notConfigured)).toEqual({ kind: 'not-configured' });
    },
  );

  it('a paid request is a bug', async () => {
    await expect(notConfigured.sendPaid(paid)).rejects.toThrow('not configured');
  });
});
