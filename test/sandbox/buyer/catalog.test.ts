import { describe, expect, it } from 'vitest';
import { generateCatalog } from '../../../src/sandbox/smscode/catalog/generate.ts';
import { anOffer, expectRefusal, listOf, openSandbox, productsOf } from '../support/sandbox.ts';

describe('the generated catalog', () => {
  it('is the same for the same seed, and another for another', () => {
    const some = (seed: number) => {
      const catalog = generateCatalog(seed);
      return Array.from({ length: 50 }, (_, at) => catalog.tier(at * 100));
    };
    expect(some(7)).toEqual(some(7));
    expect(some(7)).not.toEqual(some(8));
  });

  it('has the size of a real one, and no two things under one id or code', () => {
    const catalog = generateCatalog(1);
    expect(catalog.countries.length).toBeGreaterThan(100);
    expect(catalog.services.length).toBeGreaterThan(500);
    expect(catalog.size).toBeGreaterThan(20_000);
    expect(catalog.size).toBeLessThan(40_000);
    for (const list of [catalog.countries, catalog.services, catalog.operators]) {
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
      expect(new Set(list.map(({ code }) => code)).size).toBe(list.length);
    }
    for (const { code, dialCode, emoji, ranges } of catalog.countries) {
      expect(code).toMatch(/^[a-z]{2}$/);
      expect([...emoji]).toHaveLength(2);
      for (const range of ranges) expect(`${dialCode}${range}`).toMatch(/^[1-9][\d#]{7,14}$/);
    }
  });

  it('finds every tier by its ids', () => {
    const catalog = generateCatalog(3);
    for (let at = 0; at < catalog.size; at += 97) {
      const { id, catalogProductId, price, stock } = catalog.tier(at);
      expect(catalog.numberOf(id)).toBe(at);
      expect(catalog.tiersOf(catalogProductId)).toContain(at);
      expect(price).toBeGreaterThanOrEqual(500);
      expect(stock).toBeGreaterThan(0);
    }
    expect(catalog.numberOf(1)).toBeNull();
    expect(catalog.tiersOf(1)).toEqual([]);
  });
});

describe('GET /v1/catalog/products', () => {
  it('pages by limit, and is empty past the end', async () => {
    const sandbox = await openSandbox();
    const whole = await productsOf(sandbox, 'country_id=6&limit=10000');
    const paged = [];
    for (let page = 1; ; page++) {
      const rows = await productsOf(sandbox, `country_id=6&limit=100&page=${page}`);
      paged.push(...rows);
      if (rows.length < 100) break;
    }
    expect(paged).toEqual(whole);
    expect((await sandbox.call('GET /v1/catalog/products?country_id=6&page=99')).body).toEqual({
      success: true,
      data: [],
      meta: { page: 99, limit: 1000, count: 0 },
    });
  });

  it('clamps limit and page instead of refusing them', async () => {
    const { call } = await openSandbox();
    for (const [query, meta] of [
      ['limit=0&page=-3', { limit: 1, page: 1, count: 1 }],
      ['limit=99999999999', { limit: 10_000, page: 1, count: 10_000 }],
      ['', { limit: 1000, page: 1, count: 1000 }],
    ] as const) {
      expect((await call(`GET /v1/catalog/products?${query}`)).body).toMatchObject({ meta });
    }
  });

  it('refuses a value not of its type', async () => {
    const { call } = await openSandbox();
    for (const query of [
      'limit=x',
      'limit=',
      'limit=1.5',
      'country_id=2147483648',
      'operator_id=a',
      'page=1e3',
    ]) {
      const [field] = query.split('=');
      expectRefusal(await call(`GET /v1/catalog/products?${query}`), 422, 'VALIDATION_ERROR', { field });
    }
  });

  it('sorts as asked, equals by id, and an unknown sort by price', async () => {
    const sandbox = await openSandbox();
    const sorted = async (sort: string) => productsOf(sandbox, `country_id=6&limit=10000&sort=${sort}`);
    const key = {
      price_asc: (one) => one.price,
      price_desc: (one) => -one.price,
      available_asc: (one) => one.available,
      available_desc: (one) => -one.available,
    } satisfies Record<string, (one: { price: number; available: number }) => number>;
    for (const [sort, value] of Object.entries(key)) {
      const rows = await sorted(sort);
      const expected = rows.toSorted((one, other) => value(one) - value(other) || one.id - other.id);
      expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
    const names = (await sorted('name_asc')).map((row) => String(row['name']));
    expect(names).toEqual(names.toSorted());
    expect((await sorted('name_desc')).map((row) => row['name'])).toEqual(names.toReversed());
    expect(await sorted('dearest')).toEqual(await sorted('price_asc'));
  });

  it('lists tiers without operator, or those of one operator', async () => {
    const sandbox = await openSandbox();
    const pair = 'country_id=6&platform_id=1';
    for (const row of await productsOf(sandbox, pair)) expect(row.operator_id).toBeNull();
    const operators = listOf(await sandbox.call(`GET /v1/catalog/operators?${pair}`));
    expect(operators[0]).toEqual({ operator_id: null, code: 'any', name: 'Any', local_name: null });
    const id = operators[1]?.['operator_id'];
    const rows = await productsOf(sandbox, `${pair}&operator_id=${id}`);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.operator_id).toBe(id);
    expect(await productsOf(sandbox, `${pair}&operator_id=1`)).toEqual([]);
  });

  it('leaves out a tier that is sold out or switched off, and shows a price set by hand', async () => {
    const sandbox = await openSandbox();
    const { id } = await anOffer(sandbox);
    const shown = async () => (await productsOf(sandbox)).find((row) => row.id === id);
    await sandbox.steer(`POST products/${id}`, { price: 777, available: 2 });
    expect(await shown()).toMatchObject({ price: 777, available: 2 });
    await sandbox.steer(`POST products/${id}`, { available: 0 });
    expect(await shown()).toBeUndefined();
    await sandbox.steer(`POST products/${id}`, { available: 5, active: false });
    expect(await shown()).toBeUndefined();
    await sandbox.steer(`POST products/${id}`, { active: true });
    expect(await shown()).toMatchObject({ available: 5 });
  });
});

describe('the other reads of the catalog', () => {
  it('GET /v1/catalog/services lists those in stock in a country', async () => {
    const sandbox = await openSandbox();
    const all = listOf(await sandbox.call('GET /v1/catalog/services'));
    const there = listOf(await sandbox.call('GET /v1/catalog/services?country_id=30'));
    const offered = new Set(
      (await productsOf(sandbox, 'country_id=30&limit=10000')).map((row) => row.platform_id),
    );
    expect(all.length).toBeGreaterThan(there.length);
    expect(new Set(there.map(({ id }) => id))).toEqual(offered);
    expect(listOf(await sandbox.call('GET /v1/catalog/services?country_id=9999'))).toEqual([]);
    expectRefusal(await sandbox.call('GET /v1/catalog/services?country_id=x'), 422, 'VALIDATION_ERROR', {
      field: 'country_id',
    });
  });

  it('GET /v1/catalog/operators needs both parameters, and is empty where there is no choice', async () => {
    const { call } = await openSandbox();
    for (const [query, field] of [
      ['', 'country_id'],
      ['country_id=6', 'platform_id'],
      ['platform_id=1', 'country_id'],
    ]) {
      expectRefusal(await call(`GET /v1/catalog/operators?${query}`), 422, 'VALIDATION_ERROR', { field });
    }
    // The Gambia's operators are not modelled.
    expect(listOf(await call('GET /v1/catalog/operators?country_id=28&platform_id=1'))).toEqual([]);
  });

  it('GET /v1/catalog/exchange-rate knows one pair', async () => {
    const { call } = await openSandbox();
    const rate = { pair: 'USD/IDR', base_currency: 'USD', quote_currency: 'IDR', rate: 16_000 };
    expect((await call('GET /v1/catalog/exchange-rate')).body).toEqual({ success: true, data: rate });
    expect((await call('GET /v1/catalog/exchange-rate?pair=USD/IDR')).status).toBe(200);
    expectRefusal(await call('GET /v1/catalog/exchange-rate?pair=EUR/IDR'), 404, 'NOT_FOUND');
  });
});
