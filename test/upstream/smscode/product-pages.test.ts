import { describe, expect, it } from 'vitest';
import type { Product } from '../../../src/domain/catalog/product.ts';
import { parseOperatorId, parseProductId } from '../../../src/domain/ids.ts';
import { rupiah } from '../../../src/domain/money.ts';
import { type Instant, instant, later } from '../../../src/domain/time.ts';
import { readAllPages } from '../../../src/upstream/smscode/product-pages.ts';
import {
  answered,
  everything,
  type FakeUpstream,
  failed,
  fakeUpstream,
  succeeded,
} from '../support/fake-upstream.ts';
import { country, platform } from '../support/ids.ts';
import { keptLog } from '../support/parts.ts';

const row = (id: number, more: object = {}) => ({ id, available: 1, price: 9_450, active: true, ...more });
const rows = (from: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => row(from + i, more));
const page = (data: object[], limit: number, count = data.length) =>
  succeeded(data, { page: 1, limit, count });
const pageOf = (url: string) => Number(new URL(url).searchParams.get('page'));

function catalogOf(pages: readonly ReturnType<typeof page>[]) {
  return fakeUpstream((call) => pages[pageOf(call.url) - 1] ?? page([], 10));
}

function product(id: number, asOf: Instant): Product {
  const productId = parseProductId(id);
  if (productId === null) throw new Error('no id');
  return {
    id: productId,
    catalogProductId: null,
    name: null,
    countryId: null,
    platformId: null,
    operatorId: null,
    operatorName: null,
    available: 1,
    price: rupiah(9_450),
    active: true,
    asOf,
  };
}

async function ids(upstream: ReturnType<typeof fakeUpstream>): Promise<readonly number[]> {
  const reply = await upstream.api.products(everything);
  if (reply.kind !== 'read') throw new Error(reply.kind);
  return reply.value.map((product) => product.id);
}

describe('all pages are read', () => {
  it('until one is not full', async () => {
    const upstream = catalogOf([
      page(rows(1, 3), 3),
      page(rows(4, 3), 3),
      page(rows(7, 1), 3),
      page(rows(99, 3), 3),
    ]);
    expect(await ids(upstream)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(upstream.calls.map((call) => pageOf(call.url))).toEqual([1, 2, 3]);
  });

  it('a full last page has an empty one behind it', async () => {
    const upstream = catalogOf([page(rows(1, 3), 3), page([], 3)]);
    expect(await ids(upstream)).toEqual([1, 2, 3]);
    expect(upstream.calls).toHaveLength(2);
  });

  it('fullness goes by the limit as applied, not by the one asked for', async () => {
    const upstream = catalogOf([page(rows(1, 2), 2), page(rows(3, 1), 2)]);
    expect(await ids(upstream)).toEqual([1, 2, 3]);
  });

  it('a count that says less than came does not end it early', async () => {
    const upstream = catalogOf([page(rows(1, 2), 2, 0), page(rows(3, 1), 2)]);
    expect(await ids(upstream)).toEqual([1, 2, 3]);
  });

  it('an empty catalog is one too', async () => {
    expect(await ids(catalogOf([page([], 2_000)]))).toEqual([]);
  });
});

it('a row that leaves its operator out is the one asked for; an explicit null is none', async () => {
  const asked = parseOperatorId(7);
  const upstream = catalogOf([page([row(1), row(2, { operator_id: null }), row(3, { operator_id: 9 })], 10)]);
  const reply = await upstream.api.products({ ...everything, operatorId: asked });
  expect(reply).toMatchObject({
    kind: 'read',
    value: [{ operatorId: 7 }, { operatorId: null }, { operatorId: 9 }],
  });
});

describe('B14: pages that do not behave', () => {
  it('one that comes again ends the reading', async () => {
    const upstream = fakeUpstream(() => page(rows(1, 3), 3));
    expect(await ids(upstream)).toEqual([1, 2, 3]);
    expect(upstream.calls).toHaveLength(2);
  });

  it('a row that moved between two pages is there once, as it was read last', async () => {
    const upstream = catalogOf([page(rows(1, 3), 3), page([row(3, { price: 1 }), row(4)], 3)]);
    const reply = await upstream.api.products(everything);
    expect(reply.kind === 'read' && reply.value.map(({ id, price }) => [id, price])).toEqual([
      [1, 9_450],
      [2, 9_450],
      [3, 1],
      [4, 9_450],
    ]);
  });

  it.each([
    ['pages', 2, 1_000],
    ['rows', 100_000, 5],
  ])('one without end is read to the bound of its %s, and the log says so', async (_name, size, pages) => {
    const readAt = instant(1);
    let asked = 0;
    const { log, lines } = keptLog();
    const reply = await readAllPages((number) => {
      asked++;
      const products = Array.from({ length: size }, (_, i) => product(number * size + i, readAt));
      return Promise.resolve({ kind: 'read', readAt, value: { products, isFull: true } });
    }, log);
    expect(asked).toBe(pages);
    expect(reply.kind === 'read' && reply.value).toHaveLength(pages * size);
    expect(lines).toMatchObject([{ level: 'warn', fields: { pages, rows: pages * size } }]);
  });

  it('a page that cannot be had leaves no half catalog', async () => {
    const upstream = fakeUpstream((call) =>
      pageOf(call.url) === 1 ? page(rows(1, 3), 3) : failed(503, 'SERVICE_UNAVAILABLE'),
    );
    expect(await upstream.api.products(everything)).toMatchObject({ kind: 'unavailable', httpStatus: 503 });
  });
});

describe('the rows', () => {
  it('are as old as the page that held them, the whole as old as its first', async () => {
    const upstream: FakeUpstream = fakeUpstream((call) => {
      upstream.clock.advance(40);
      return pageOf(call.url) === 1 ? page(rows(1, 1), 1) : page([row(2)], 5);
    });
    const reply = await upstream.api.products(everything);
    expect(reply).toMatchObject({
      readAt: upstream.startedAt,
      value: [{ asOf: upstream.startedAt }, { asOf: later(upstream.startedAt, 40) }],
    });
  });

  it('what may be missing is null, what is more is passed over', async () => {
    const { api, startedAt } = fakeUpstream(() => page([row(1, { flavour: 'x' })], 10));
    expect(await api.products(everything)).toMatchObject({
      value: [
        {
          id: 1,
          catalogProductId: null,
          name: null,
          countryId: null,
          platformId: null,
          operatorId: null,
          operatorName: null,
          available: 1,
          price: 9_450,
          active: true,
          asOf: startedAt,
        },
      ],
    });
  });

  it.each([
    ['no id', '{"available":1,"price":1,"active":true}'],
    ['no price', '{"id":1,"available":1,"active":true}'],
    ['a price as text', '{"id":1,"available":1,"price":"1","active":true}'],
    ['a price with a fraction', '{"id":1,"available":1,"price":1.0,"active":true}'],
    ['a price beyond the safe range', '{"id":1,"available":1,"price":9007199254740993,"active":true}'],
    ['no stock', '{"id":1,"price":1,"active":true}'],
    ['stock beyond int32', '{"id":1,"available":2147483648,"price":1,"active":true}'],
    ['active as 1', '{"id":1,"available":1,"price":1,"active":1}'],
    ['a catalog id as text', '{"id":1,"available":1,"price":1,"active":true,"catalog_product_id":"7"}'],
    ['null', 'null'],
  ])('one bad row and the page is no catalog: %s', async (_name, bad) => {
    const body = `{"success":true,"data":[{"id":9,"available":1,"price":1,"active":true},${bad}],"meta":{"page":1,"limit":10,"count":2}}`;
    const { api } = fakeUpstream(() => answered(200, body));
    expect(await api.products(everything)).toEqual({ kind: 'malformed', httpStatus: 200 });
  });

  it.each([
    '{}',
    'null',
    '{"page":1,"limit":10}',
    '{"page":1,"limit":"10","count":1}',
    '{"page":1,"limit":1e1,"count":1}',
  ])('without its meta neither: %s', async (meta) => {
    const { api } = fakeUpstream(() => answered(200, `{"success":true,"data":[],"meta":${meta}}`));
    expect(await api.products(everything)).toEqual({ kind: 'malformed', httpStatus: 200 });
  });
});

describe('countries, services and operators', () => {
  it('codes are upper case and dial codes without a plus, however they come', async () => {
    const { api } = fakeUpstream(() =>
      succeeded([
        { id: 1, code: 'vn', name: 'Vietnam', dial_code: '84', emoji: null, active: true },
        { id: 2, code: 'ID', name: 'Indonesia', dial_code: '+62', active: true },
        { id: 3, code: null, name: 'Nowhere', dial_code: null, active: false },
        { id: 4, name: 'Bare', active: true },
      ]),
    );
    expect(await api.countries()).toMatchObject({
      value: [
        { id: 1, code: 'VN', dialCode: '84', emoji: null, active: true },
        { id: 2, code: 'ID', dialCode: '62', emoji: null },
        { id: 3, code: null, dialCode: null, active: false },
        { id: 4, code: null, dialCode: null, emoji: null },
      ],
    });
  });

  it('"any operator" has no id', async () => {
    const { api } = fakeUpstream(() =>
      succeeded([
        { operator_id: null, code: 'any', name: 'Any', local_name: null },
        { operator_id: 318, code: 'viettel' },
      ]),
    );
    expect(await api.operators(country(31), platform(9))).toMatchObject({
      value: [
        { operatorId: null, code: 'any', name: 'Any', localName: null },
        { operatorId: 318, code: 'viettel', name: null, localName: null },
      ],
    });
  });

  it('a service has nothing but its four fields', async () => {
    const { api } = fakeUpstream(() =>
      succeeded([{ id: 9, code: 'telegram', name: 'Telegram', active: true, x: 1 }]),
    );
    const reply = await api.services(null);
    expect(reply.kind === 'read' && reply.value).toEqual([
      { id: 9, code: 'telegram', name: 'Telegram', active: true },
    ]);
  });

  it('of a wrong shape they are malformed', async () => {
    for (const data of [
      {},
      null,
      [{}],
      [{ id: 1.5, name: 'x', active: true, code: 'x' }],
      [{ id: 1, name: 'x' }],
    ]) {
      const { api } = fakeUpstream(() => succeeded(data));
      const malformed = { kind: 'malformed', httpStatus: 200 };
      expect(await api.countries()).toEqual(malformed);
      expect(await api.services(null)).toEqual(malformed);
      expect(await api.operators(country(1), platform(1))).toEqual(malformed);
    }
  });
});
