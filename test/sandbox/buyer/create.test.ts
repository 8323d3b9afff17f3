import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  anOffer,
  anOrder,
  balanceOf,
  eventually,
  expectRefusal,
  failedCountOf,
  ledgerOf,
  listOf,
  openSandbox,
  ordersOf,
  productsOf,
  QUIET,
  readOrder,
} from '../support/sandbox.ts';

const INVALID = new URL('../../samples/invalid/', import.meta.url);
const CREATE = 'POST /v1/orders/create';

describe('POST /v1/orders/create', () => {
  it('charges the price of the tier taken, and says where the money went', async () => {
    const sandbox = await openSandbox();
    const before = await balanceOf(sandbox);
    const { price, id } = await anOffer(sandbox);
    const order = await anOrder(sandbox, { 'idempotency-key': 'key-1' });
    expect(order).toMatchObject({ status: 'ACTIVE', amount: price, product_id: id, otp_code: null });
    expect(await balanceOf(sandbox)).toBe(before - price);
    expect((await ledgerOf(sandbox)).charges).toEqual([
      {
        order_id: order.id,
        amount: price,
        idempotency_key: 'key-1',
        operation: 'create',
        at: '2026-09-02T06:40:00.000Z',
      },
    ]);
  });

  it('makes as many as there are, and counts the rest as failed', async () => {
    const sandbox = await openSandbox();
    const { id, catalog_product_id } = await anOffer(sandbox);
    await sandbox.steer(`POST products/${id}`, { available: 2 });
    const tier = await sandbox.call(CREATE, { product_id: id, quantity: 5 });
    expect(ordersOf(tier).map((order) => order.product_id)).toEqual([id, id]);
    expect(failedCountOf(tier)).toBe(3);
    // The routed way goes on with the next tier of the same catalog id.
    await sandbox.steer(`POST products/${id}`, { available: 1 });
    const routed = await sandbox.call(CREATE, { catalog_product_id, quantity: 3 });
    expect(failedCountOf(routed)).toBe(0);
    expect(new Set(ordersOf(routed).map((order) => order.product_id)).size).toBeGreaterThan(1);
  });

  it('takes from the stock what it sells, and gets it back slowly', async () => {
    const sandbox = await openSandbox();
    const { id } = await anOffer(sandbox);
    await sandbox.steer('POST settings', QUIET);
    await sandbox.steer(`POST products/${id}`, { available: 3 });
    const available = async () => (await productsOf(sandbox)).find((row) => row.id === id)?.available;
    await sandbox.call(CREATE, { product_id: id, quantity: 2 });
    expect(await available()).toBe(1);
    await sandbox.clock.pass(60_000);
    expect(await available()).toBe(2);
    await sandbox.clock.pass(600_000);
    expect(await available()).toBe(3);
  });

  it('keeps within price bounds and operator, and prefers a supplier among equals', async () => {
    const sandbox = await openSandbox();
    const operator = Number(
      listOf(await sandbox.call('GET /v1/catalog/operators?country_id=6&platform_id=1'))[1]?.['operator_id'],
    );
    const [first] = await productsOf(sandbox, `country_id=6&platform_id=1&operator_id=${operator}`);
    const { price, catalog_product_id } = await anOffer(sandbox);
    const order = async (more: object) => {
      const [made] = ordersOf(await sandbox.call(CREATE, { catalog_product_id, ...more }));
      return made;
    };
    expect(await order({ operator_id: operator })).toMatchObject({
      product_id: first?.id,
      operator_id: operator,
    });
    expect((await order({ min_price: price + 1 }))?.amount).toBeGreaterThan(price);
    expect((await order({ max_price: price }))?.amount).toBe(price);
    expect(
      (await order({ policy: 'best_success', max_price: null, prefer_provider: 'ACME' }))?.amount,
    ).toBeGreaterThan(0);
    for (const more of [{ max_price: 1 }, { operator_id: 999 }, { min_price: 900_000_000 }]) {
      expectRefusal(await sandbox.call(CREATE, { catalog_product_id, ...more }), 422, 'NO_OFFER_AVAILABLE');
    }
  });

  it('refuses what it cannot sell', async () => {
    const sandbox = await openSandbox();
    const { id, catalog_product_id } = await anOffer(sandbox);
    expectRefusal(await sandbox.call(CREATE, { catalog_product_id: 1 }), 422, 'NO_OFFER_AVAILABLE');
    expectRefusal(await sandbox.call(CREATE, { product_id: 1 }), 422, 'VALIDATION_ERROR', {
      field: 'product_id',
    });
    await sandbox.steer(`POST products/${id}`, { available: 0 });
    expectRefusal(await sandbox.call(CREATE, { product_id: id }), 422, 'NO_OFFER_AVAILABLE');
    await sandbox.steer('POST settings', { balance: 1 });
    expectRefusal(await sandbox.call(CREATE, { catalog_product_id }), 409, 'INSUFFICIENT_BALANCE');
    expect((await ledgerOf(sandbox)).charges).toEqual([]);
    expect(await balanceOf(sandbox)).toBe(1);
  });

  it.each(readdirSync(INVALID).filter((file) => file.startsWith('request.create')))(
    'refuses %s',
    async (file) => {
      const { call } = await openSandbox();
      const answer = await call(CREATE, readFileSync(new URL(file, INVALID), 'utf8'));
      expect(answer).toMatchObject({
        status: 422,
        body: { success: false, error: { code: 'VALIDATION_ERROR' } },
      });
    },
  );

  it('takes true JSON integers only, and null as absent where it may be', async () => {
    const { call } = await openSandbox();
    for (const body of [
      '{"catalog_product_id":"6135"}',
      '{"catalog_product_id":true}',
      '{"catalog_product_id":6135.5}',
      '{"catalog_product_id":2147483648}',
      '{"catalog_product_id":6135,"quantity":null}',
      '{"catalog_product_id":6135,"quantity":0}',
      '{"catalog_product_id":6135,"policy":null}',
      '{"catalog_product_id":6135,"policy":"dearest"}',
      '{"catalog_product_id":6135,"max_price":"9"}',
      '{"catalog_product_id":null,"product_id":null}',
      '[]',
      '"text"',
      'not json',
      '',
    ]) {
      const answer = await call(CREATE, body);
      expect(answer, body).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
    const sandbox = await openSandbox();
    const { catalog_product_id } = await anOffer(sandbox);
    const nulls = {
      product_id: null,
      max_price: null,
      min_price: null,
      operator_id: null,
      prefer_provider: null,
    };
    expect(ordersOf(await sandbox.call(CREATE, { catalog_product_id, ...nulls }))).toHaveLength(1);
    const tier = { product_id: (await anOffer(sandbox)).id, catalog_product_id: null, max_price: null };
    expect(ordersOf(await sandbox.call(CREATE, tier))).toHaveLength(1);
  });

  it('gives the number later where it is told to, and fails an order that never got one', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST settings', { ...QUIET, number_delay_seconds: 2 });
    const { id, phone_number } = await anOrder(sandbox);
    expect(phone_number).toBeNull();
    await sandbox.clock.pass(1999);
    expect((await readOrder(sandbox, id)).phone_number).toBeNull();
    await sandbox.clock.pass(1);
    expect((await readOrder(sandbox, id)).phone_number).toMatch(/^\+62\d{9,12}$/);
    await sandbox.steer('POST settings', { number_delay_seconds: 9999 });
    const never = await anOrder(sandbox);
    await sandbox.clock.pass(1_200_000);
    expect(await readOrder(sandbox, never.id)).toMatchObject({
      status: 'EXPIRED',
      failed_reason: 'NoNumbers',
    });
  });
});

describe('the idempotency key', () => {
  it('must be of its pattern', async () => {
    const { call } = await openSandbox();
    for (const key of ['', 'a b', 'ü', 'x'.repeat(129), 'a.b']) {
      const answer = await call(CREATE, {}, { 'idempotency-key': key });
      expectRefusal(answer, 422, 'VALIDATION_ERROR', { field: 'idempotency-key' });
    }
  });

  it('gives the first result again, charges once, and compares bodies as values', async () => {
    const sandbox = await openSandbox();
    const { catalog_product_id } = await anOffer(sandbox);
    const keyed = { 'Idempotency-Key': 'x'.repeat(128) };
    const first = await sandbox.call(
      CREATE,
      `{"catalog_product_id":${catalog_product_id},"quantity":2}`,
      keyed,
    );
    const again = await sandbox.call(
      CREATE,
      `{ "quantity": 2, "catalog_product_id": ${catalog_product_id} }`,
      keyed,
    );
    expect(ordersOf(first)).toHaveLength(2);
    expect(again.body).toEqual(first.body);
    expect((await ledgerOf(sandbox)).charges).toHaveLength(2);
    const other = await sandbox.call(CREATE, { catalog_product_id, quantity: 3 }, keyed);
    expectRefusal(other, 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('is held while the first request is under way', async () => {
    const sandbox = await openSandbox();
    const { catalog_product_id } = await anOffer(sandbox);
    await sandbox.steer('POST faults', { kind: 'delay', ms: 5000, match: { path: '/v1/orders/create' } });
    const keyed = { 'idempotency-key': 'slow' };
    const first = sandbox.call(CREATE, { catalog_product_id }, keyed);
    await eventually(async () => (await ledgerOf(sandbox)).requests.at(-1)?.['fault']).toBe('delay');
    expectRefusal(await sandbox.call(CREATE, { catalog_product_id }, keyed), 409, 'REQUEST_IN_PROGRESS');
    expectRefusal(
      await sandbox.call(CREATE, { catalog_product_id: 1 }, keyed),
      422,
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect((await ledgerOf(sandbox)).charges).toEqual([]);
    await sandbox.clock.pass(5000);
    expect(ordersOf(await first)).toHaveLength(1);
    expect((await sandbox.call(CREATE, { catalog_product_id }, keyed)).body).toEqual((await first).body);
    expect((await ledgerOf(sandbox)).charges).toHaveLength(1);
  });

  it('is freed by a failure, and forgotten after a day', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST settings', { ...QUIET, balance: 1 });
    const { catalog_product_id } = await anOffer(sandbox);
    const keyed = { 'idempotency-key': 'k' };
    expectRefusal(await sandbox.call(CREATE, { catalog_product_id }, keyed), 409, 'INSUFFICIENT_BALANCE');
    await sandbox.steer('POST settings', { balance: 1_000_000 });
    const [first] = ordersOf(await sandbox.call(CREATE, { catalog_product_id }, keyed));
    await sandbox.clock.pass(24 * 3600 * 1000 - 1);
    expect(ordersOf(await sandbox.call(CREATE, { catalog_product_id }, keyed))[0]?.id).toBe(first?.id);
    await sandbox.clock.pass(1);
    expect(ordersOf(await sandbox.call(CREATE, { catalog_product_id }, keyed))[0]?.id).not.toBe(first?.id);
  });
});

describe('the abuse guard', () => {
  it('bans for four hours after twenty orders of which more than four fifths failed', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST settings', QUIET);
    const { catalog_product_id } = await anOffer(sandbox);
    for (let made = 0; made < 3; made++) await anOrder(sandbox);
    for (let failed = 0; failed < 17; failed++) {
      expectRefusal(await sandbox.call(CREATE, { catalog_product_id: 1 }), 422, 'NO_OFFER_AVAILABLE');
    }
    const banned = await sandbox.call(CREATE, { catalog_product_id });
    const until = '2026-09-02T10:40:00.000Z';
    expectRefusal(banned, 429, 'TEMP_BANNED_ABUSE_GUARD', {
      until,
      tier: 'HARD',
      retry_after_seconds: 14_400,
    });
    expect(banned.headers.get('retry-after')).toBe('14400');
    await sandbox.clock.pass(4 * 3600 * 1000);
    expect(ordersOf(await sandbox.call(CREATE, { catalog_product_id }))).toHaveLength(1);
  });

  it('lets four fifths pass, and can be switched off', async () => {
    const sandbox = await openSandbox();
    await sandbox.steer('POST settings', QUIET);
    for (let made = 0; made < 4; made++) await anOrder(sandbox);
    for (let failed = 0; failed < 16; failed++) await sandbox.call(CREATE, { catalog_product_id: 1 });
    await anOrder(sandbox);
    await sandbox.steer('POST settings', { abuse_guard: false });
    for (let failed = 0; failed < 40; failed++) await sandbox.call(CREATE, { catalog_product_id: 1 });
    await anOrder(sandbox);
  });
});
