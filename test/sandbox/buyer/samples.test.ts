import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { signature } from '../../../src/sandbox/smscode/webhooks.ts';
import { openReceiver } from '../support/receiver.ts';
import { anOrder, openSandbox, ordersOf, QUIET, type TestSandbox } from '../support/sandbox.ts';

const SAMPLES = new URL('../../samples/', import.meta.url);

function read(file: string): string {
  return readFileSync(new URL(file, SAMPLES), 'utf8');
}

/** What is closed about a payload: the keys of every object, and of a list those of its first element. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, shape(inner)]),
  );
}

let sandbox: TestSandbox;

beforeEach(async () => {
  sandbox = await openSandbox();
  await sandbox.steer('POST settings', { ...QUIET, minimum_cancel_seconds: 0, reactivation: 'always' });
});

async function expectSample(what: string, file: string, body?: unknown): Promise<void> {
  const answer = await sandbox.call(what, body);
  expect(answer.status, what).toBe(200);
  expect(shape(answer.body), what).toEqual(shape(JSON.parse(read(file))));
}

describe('every answer has exactly the keys of its sample', () => {
  it('of catalog and balance', async () => {
    await expectSample('GET /v1/catalog/countries', 'get-catalog-countries.200.json');
    await expectSample('GET /v1/catalog/services?country_id=10', 'get-catalog-services.200.json');
    await expectSample('GET /v1/catalog/products?country_id=10&limit=3', 'get-catalog-products.200.json');
    await expectSample(
      'GET /v1/catalog/products?country_id=10&platform_id=1&operator_id=307',
      'get-catalog-products.operator.200.json',
    );
    await expectSample(
      'GET /v1/catalog/operators?country_id=10&platform_id=1',
      'get-catalog-operators.200.json',
    );
    await expectSample('GET /v1/catalog/exchange-rate', 'get-catalog-exchange-rate.200.json');
    await expectSample('GET /v1/balance', 'get-balance.200.json');
  });

  it('of orders through their life', async () => {
    await expectSample('GET /v1/orders/active', 'get-orders-active.empty.200.json');
    const { id, catalog_product_id } = await anOrder(sandbox);
    await expectSample('POST /v1/orders/create', 'post-orders-create.200.json', { catalog_product_id });
    await expectSample(`GET /v1/orders/${id}`, 'get-orders-id.active-cancelable.200.json');
    await sandbox.steer('POST sms', { order_id: id, message: 'Telegram code: 50318' });
    await expectSample(`GET /v1/orders/${id}`, 'get-orders-id.otp-received.200.json');
    await expectSample('GET /v1/orders', 'get-orders.200.json');
    await expectSample('GET /v1/orders/active', 'get-orders-active.200.json');
    await expectSample('POST /v1/orders/resend', 'post-orders-resend.200.json', { id });
    await expectSample(`GET /v1/orders/${id}`, 'get-orders-id.active-after-resend.200.json');
    await expectSample('POST /v1/orders/finish', 'post-orders-finish.200.json', { id });
    await expectSample(
      `GET /v1/orders/${id}/reactivate-options`,
      'get-orders-id-reactivate-options.200.json',
    );
    await expectSample('POST /v1/orders/reactivate', 'post-orders-reactivate.200.json', { id });
    const canceled = await anOrder(sandbox);
    await expectSample('POST /v1/orders/cancel', 'post-orders-cancel.200.json', { id: canceled.id });
  });

  it('of the webhook settings', async () => {
    await expectSample('GET /v1/webhook', 'get-webhook.unset.200.json');
    await expectSample(
      'PATCH /v1/webhook',
      'patch-webhook.200.json',
      JSON.parse(read('patch-webhook.request.json')),
    );
    await expectSample(
      'PATCH /v1/webhook',
      'patch-webhook.200.json',
      JSON.parse(read('patch-webhook.clear.request.json')),
    );
    const receiver = await openReceiver();
    await sandbox.call('PATCH /v1/webhook', { webhook_url: receiver.url });
    await expectSample('POST /v1/webhook/test', 'post-webhook-test.200.json');
  });

  it('of each event', async () => {
    const receiver = await openReceiver();
    await sandbox.call('PATCH /v1/webhook', { webhook_url: receiver.url });
    const [finished, canceled, expired] = [
      await anOrder(sandbox),
      await anOrder(sandbox),
      await anOrder(sandbox),
    ];
    await sandbox.steer('POST sms', { order_id: finished.id, message: 'Telegram code: 50318' });
    await sandbox.call('POST /v1/orders/finish', { id: finished.id });
    await sandbox.call('POST /v1/orders/cancel', { id: canceled.id });
    await sandbox.steer(`POST orders/${expired.id}/expire`);
    await sandbox.call('POST /v1/webhook/test');
    await sandbox.clock.pass(0);
    const bodies = (await receiver.received(5)).map(({ body }) =>
      z.looseObject({ event: z.string() }).parse(JSON.parse(body)),
    );
    for (const event of [
      'order.otp_received',
      'order.completed',
      'order.canceled',
      'order.expired',
      'webhook.test',
    ]) {
      const file = `webhook.${event.replace(/[._]/g, '-')}.json`;
      expect(shape(bodies.find((body) => body.event === event)), event).toEqual(
        shape(JSON.parse(read(file))),
      );
    }
    const terminal = bodies.filter(({ event }) => event !== 'order.otp_received' && event !== 'webhook.test');
    for (const body of terminal) expect(body).toMatchObject({ data: { sms_revision: null } });
  });
});

const vectors = z
  .object({ secret: z.string(), vectors: z.array(z.object({ file: z.string(), signature: z.string() })) })
  .parse(JSON.parse(read('webhook-signatures.json')));

it.each(vectors.vectors)('signs $file as the sample says', ({ file, signature: expected }) => {
  expect(signature(vectors.secret, read(file))).toBe(expected);
});

it('answers the sample requests that are right', async () => {
  const { catalog_product_id, product_id } = await anOrder(sandbox);
  const adapt = (file: string) =>
    read(file)
      .replace('"catalog_product_id":5120', `"catalog_product_id":${catalog_product_id}`)
      .replace('"product_id":70318', `"product_id":${product_id}`);
  expect(
    ordersOf(await sandbox.call('POST /v1/orders/create', adapt('post-orders-create.request.json'))),
  ).toHaveLength(1);
  expect(
    ordersOf(await sandbox.call('POST /v1/orders/create', adapt('post-orders-create.tier.request.json'))),
  ).toHaveLength(1);
  const routed = await sandbox.call(
    'POST /v1/orders/create',
    adapt('post-orders-create.routed.request.json'),
  );
  expect(routed).toMatchObject({ status: 422, body: { error: { code: 'NO_OFFER_AVAILABLE' } } });
});

it.each(['request.webhook-empty.json', 'request.webhook-plain-http.json'])('refuses %s', async (file) => {
  const answer = await sandbox.call('PATCH /v1/webhook', read(`invalid/${file}`));
  expect(answer).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } });
});
