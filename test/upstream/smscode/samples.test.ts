import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { AttemptRequest } from '../../../src/domain/orders/attempt.ts';
import { paidRequest } from '../../../src/domain/orders/request-body.ts';
import { settle } from '../../../src/domain/orders/settle.ts';
import { instant } from '../../../src/domain/time.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { createWebhookReader } from '../../../src/upstream/smscode/webhook.ts';
import { answered, fakeUpstream, succeeded } from '../support/fake-upstream.ts';
import { catalogProduct, country, key, operator, order, platform } from '../support/ids.ts';

interface Sample {
  readonly file: string;
  readonly kind: 'request' | 'response' | 'webhook' | 'vectors';
  readonly operation?: string;
  readonly status?: number;
  readonly valid: boolean;
}

const folder = new URL('../../samples/', import.meta.url);
const bytesOf = (file: string) => new Uint8Array(readFileSync(new URL(file, folder)));
const manifest: readonly Sample[] = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'));
const ofKind = (kind: Sample['kind'], valid: boolean) =>
  manifest.filter((sample) => sample.kind === kind && sample.valid === valid);

const pay = (api: NumbersApi) =>
  api.sendPaid({ endpoint: '/orders/create', body: '{}', idempotencyKey: key('job') });

/** How each operation is asked for. */
const asked: Readonly<Record<string, (api: NumbersApi) => Promise<{ readonly kind: string }>>> = {
  'GET /v1/catalog/countries': (api) => api.countries(),
  'GET /v1/catalog/services': (api) => api.services(country(31)),
  'GET /v1/catalog/products': (api) =>
    api.products({ countryId: country(31), platformId: platform(9), operatorId: null }),
  'GET /v1/catalog/operators': (api) => api.operators(country(31), platform(9)),
  'GET /v1/catalog/exchange-rate': (api) => api.exchangeRate('USD/IDR'),
  'GET /v1/balance': (api) => api.balance(),
  'GET /v1/orders/active': (api) => api.activeOrders(),
  'GET /v1/orders': (api) => api.orders({ limit: 4, offset: 0 }),
  'GET /v1/orders/4410077/reactivate-options': (api) => api.reactivationQuote(order(4410077)),
  'POST /v1/orders/create': pay,
  'POST /v1/orders/reactivate': (api) =>
    api.sendPaid({ endpoint: '/orders/reactivate', body: '{}', idempotencyKey: key('job') }),
  'POST /v1/orders/cancel': (api) => api.cancel(order(4410079)),
  'POST /v1/orders/finish': (api) => api.finish(order(4410077)),
  'POST /v1/orders/resend': (api) => api.resend(order(4410077)),
  'GET /v1/webhook': (api) => api.webhook(),
  'PATCH /v1/webhook': (api) => api.setWebhookUrl('https://gateway.example/webhooks/smscode'),
  'POST /v1/webhook/test': (api) => api.testWebhook(),
};

function ask(sample: Sample): Promise<{ readonly kind: string }> {
  const [path = ''] = (sample.operation ?? '').split('?');
  const one = /^GET \/v1\/orders\/(\d+)$/.exec(path)?.[1];
  const how = one === undefined ? asked[path] : (api: NumbersApi) => api.order(order(Number(one)));
  if (how === undefined) throw new Error(`nobody asks for ${path}`);
  // A full page has another behind it.
  const { api } = fakeUpstream((call) =>
    call.operation === 'products' && !call.url.includes('page=1&')
      ? succeeded([], { page: 2, limit: 3, count: 0 })
      : answered(sample.status ?? 0, bytesOf(sample.file)),
  );
  return how(api);
}

it('the manifest names every file, and every kind of sample is judged below', () => {
  const files = ['', 'invalid/'].flatMap((under) =>
    readdirSync(new URL(under || '.', folder))
      .filter((name) => name.endsWith('.json') && name !== 'manifest.json')
      .map((name) => under + name),
  );
  expect(manifest.map(({ file }) => file).sort()).toEqual(files.sort());
  const judged = [
    ...operationSamples,
    ...errorSamples,
    ...Object.keys(offContract),
    ...ofKind('webhook', true).map(({ file }) => file),
    ...Object.keys(webhooksOffContract),
    ...Object.keys(sent),
    ...notOurs,
    'webhook-signatures.json',
  ];
  expect(judged.sort()).toEqual(manifest.map(({ file }) => file).sort());
  expect(manifest).toHaveLength(111);
});

const operationSamples = ofKind('response', true).flatMap(({ file, operation }) =>
  operation === undefined ? [] : [file],
);

describe('a valid answer', () => {
  const receipts = ['cancel', 'finish', 'resend'];
  it.each(operationSamples)('%s', async (file) => {
    const sample = manifest.find((each) => each.file === file);
    if (sample === undefined) throw new Error('no such sample');
    const [, action = ''] = /POST \/v1\/orders\/(\w+)/.exec(sample.operation ?? '') ?? [];
    const expected = action === '' ? 'read' : receipts.includes(action) ? 'receipt' : 'made';
    expect(await ask(sample)).toMatchObject({ kind: expected });
  });
});

const errorSamples = ofKind('response', true).flatMap(({ file, operation }) =>
  operation === undefined ? [file] : [],
);

describe('a valid failure', () => {
  const fault: Readonly<Record<number, string>> = {
    401: 'unauthorized',
    403: 'unauthorized',
    429: 'throttled',
    500: 'unavailable',
    503: 'unavailable',
  };
  it.each(errorSamples)('%s', async (file) => {
    const status = Number(/error\.(\d+)/.exec(file)?.[1]);
    const code = /error\.\d+-(.*)\.json/.exec(file)?.[1]?.replaceAll('-', '_').toUpperCase();
    const { api } = fakeUpstream(() => answered(status, bytesOf(file)));

    expect(await api.balance()).toMatchObject(
      fault[status] === undefined ? { kind: 'refused', httpStatus: status, code } : { kind: fault[status] },
    );
    expect(await pay(api)).toMatchObject(
      status >= 500
        ? { kind: 'http-5xx', httpStatus: status }
        : { kind: 'failure', httpStatus: status, code },
    );
  });

  it('a ban tells its length in the details', async () => {
    const ban = bytesOf('error.429-temp-banned-abuse-guard.json');
    const { api } = fakeUpstream(() => answered(429, ban));
    expect(await api.balance()).toEqual({ kind: 'throttled', retryAfterSeconds: 7200 });
    expect(await pay(api)).toMatchObject({ code: 'TEMP_BANNED_ABUSE_GUARD', retryAfterSeconds: 7200 });
  });
});

/** What becomes of each answer that is off contract. */
const offContract: Readonly<Record<string, object>> = {
  'invalid/create.item-without-can_reactivate.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.item-with-sms-fields.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.amount-is-a-string.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.amount-beyond-the-safe-range.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.id-is-true.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.status-unknown.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.failed_count-negative.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.orders-missing.json': { kind: 'malformed-success', httpStatus: 200 },
  'invalid/create.data-missing.json': { kind: 'contradictory', httpStatus: 200 },
  'invalid/create.data-beside-error.json': { kind: 'contradictory', httpStatus: 200 },
  'invalid/create.success-under-201.json': { kind: 'contradictory', httpStatus: 201 },
  // Its shape is right: that it does not add up is seen when it is settled.
  'invalid/create.two-of-three-accounted-for.json': { kind: 'made', failedCount: 1 },
  'invalid/error.third-key-on-top.json': { kind: 'malformed', httpStatus: 422 },
  'invalid/error.details-null.json': { kind: 'malformed', httpStatus: 422 },
  'invalid/error.message-missing.json': { kind: 'malformed', httpStatus: 422 },
  'invalid/error.insufficient-balance-under-402.json': {
    kind: 'failure',
    httpStatus: 402,
    code: 'INSUFFICIENT_BALANCE',
  },
  'invalid/cancel.receipt-of-another-order.json': { kind: 'unclear' },
  'invalid/cancel.status-completed.json': { kind: 'unclear' },
  'invalid/cancel.extra-key-in-data.json': { kind: 'unclear' },
  'invalid/cancel.refund-negative.json': { kind: 'unclear' },
  'invalid/order.snapshot-with-refund_amount.json': { kind: 'malformed' },
  'invalid/order.id-beyond-int32.json': { kind: 'malformed' },
  'invalid/order.bad-utf8.json': { kind: 'malformed' },
  'invalid/order.cut-off.json': { kind: 'malformed' },
  'invalid/order.sms_revision-missing.json': {
    kind: 'read',
    value: { status: 'OTP_RECEIVED', evidence: null },
  },
  'invalid/order.sms_revision-is-true.json': {
    kind: 'read',
    value: { status: 'OTP_RECEIVED', evidence: null },
  },
  'invalid/order.message-blank.json': { kind: 'read', value: { status: 'OTP_RECEIVED', evidence: null } },
  'invalid/balance.currency-usd.json': { kind: 'malformed' },
  'invalid/products.price-fractional.json': { kind: 'malformed' },
  'invalid/products.meta-missing.json': { kind: 'malformed' },
  // A key too many costs nobody his message.
  'invalid/orders-active.item-with-phone_number.json': {
    kind: 'read',
    value: { orders: [{ id: 4410077, evidence: { revision: 1 } }], spoiled: 0 },
  },
};

describe('an answer off contract', () => {
  it.each(ofKind('response', false))('$file', async (sample) => {
    expect(await ask(sample)).toMatchObject(offContract[sample.file] ?? { kind: 'not judged' });
  });

  it('two of three accounted for is no resolution of a quantity of three', async () => {
    const { api } = fakeUpstream(() =>
      answered(200, bytesOf('invalid/create.two-of-three-accounted-for.json')),
    );
    const now = instant(0);
    const request: AttemptRequest = {
      kind: 'CREATE',
      catalogProductId: catalogProduct(5120),
      quantity: 3,
      maxUnitPrice: null,
      routing: null,
    };
    const attempt = { request, quantity: 3, sends: 1, replayDeadlineAt: instant(3_600_000) };
    expect(settle(attempt, await pay(api), now)).toMatchObject({
      kind: 'needs-reconciliation',
      reason: 'MALFORMED_SUCCESS',
    });
  });
});

const webhooksOffContract: Readonly<Record<string, { event: object; dedupeKey: RegExp }>> = {
  'invalid/webhook.otp-received-without-sms_revision.json': {
    event: { kind: 'nothing' },
    dedupeKey: /^order\.otp_received:[0-9a-f]{64}$/,
  },
  'invalid/webhook.data-with-status.json': {
    event: { kind: 'ended', orderId: 4410077, status: 'COMPLETED' },
    dedupeKey: /^order\.completed:4410077$/,
  },
  'invalid/webhook.event-unknown.json': {
    event: { kind: 'nothing' },
    dedupeKey: /^order\.refunded:4410080$/,
  },
};

describe('a webhook', () => {
  const { secret, vectors }: { secret: string; vectors: { file: string; signature: string }[] } = JSON.parse(
    readFileSync(new URL('webhook-signatures.json', folder), 'utf8'),
  );
  const reader = createWebhookReader([secret]);

  it('each valid one has a vector', () => {
    expect(vectors.map(({ file }) => file).sort()).toEqual(
      ofKind('webhook', true)
        .map(({ file }) => file)
        .sort(),
    );
  });

  it.each(vectors)('$file is genuine as signed, and is understood', ({ file, signature }) => {
    const body = bytesOf(file);
    expect(reader.isGenuine(body, signature)).toBe(true);
    expect(reader.isGenuine(Uint8Array.from([...body, 0x0a]), signature)).toBe(false);
    const name = file.includes('otp-received') ? 'sms' : file.includes('test') ? 'test' : 'ended';
    expect(reader.event(body).kind).toBe(name);
    expect(reader.envelope(body).kind).toBe('event');
  });

  it.each(ofKind('webhook', false))('$file', ({ file }) => {
    const expected = webhooksOffContract[file];
    expect(reader.event(bytesOf(file))).toMatchObject(expected?.event ?? { kind: 'not judged' });
    expect(reader.envelope(bytesOf(file)).dedupeKey).toMatch(expected?.dedupeKey ?? /never/);
  });
});

/** What goes out when each request that we ever make is made. */
const sent: Readonly<Record<string, (api: NumbersApi) => Promise<unknown>>> = {
  'post-orders-create.request.json': (api) =>
    sendPaid(api, {
      kind: 'CREATE',
      catalogProductId: catalogProduct(5120),
      quantity: 1,
      maxUnitPrice: null,
      routing: null,
    }),
  'post-orders-create.routed.request.json': (api) =>
    sendPaid(api, {
      kind: 'CREATE',
      catalogProductId: catalogProduct(5120),
      quantity: 2,
      maxUnitPrice: rupiah(12_500),
      routing: {
        operatorId: operator(318),
        minPrice: rupiah(9_000),
        policy: 'BEST_SUCCESS',
        preferProvider: 'acme',
      },
    }),
  'post-orders-cancel.request.json': (api) => api.cancel(order(4410079)),
  'post-orders-finish.request.json': (api) => api.finish(order(4410077)),
  'post-orders-resend.request.json': (api) => api.resend(order(4410077)),
  'post-orders-reactivate.request.json': (api) =>
    sendPaid(api, { kind: 'REACTIVATE', orderId: order(4410077), maxCost: rupiah(8_000) }),
  'patch-webhook.clear.request.json': (api) => api.setWebhookUrl(''),
};

function sendPaid(api: NumbersApi, request: AttemptRequest) {
  return api.sendPaid({ ...paidRequest(request), idempotencyKey: key('job') });
}

/** For whoever plays the provider: a tier bought directly, a secret set by hand, and bodies that it must refuse. */
const notOurs = [
  'post-orders-create.tier.request.json',
  'patch-webhook.request.json',
  ...ofKind('request', false).map(({ file }) => file),
];

describe('a request', () => {
  it.each(Object.entries(sent))('%s goes out byte for byte', async (file, send) => {
    const { api, calls } = fakeUpstream(() => answered(500, ''));
    await send(api);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.body).toBe(Buffer.from(bytesOf(file)).toString());
    const operation = manifest.find((sample) => sample.file === file)?.operation;
    expect(`${calls[0]?.method} ${calls[0]?.url.replace('https://upstream.example', '')}`).toBe(operation);
  });
});
