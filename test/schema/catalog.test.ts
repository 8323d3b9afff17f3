import { describe, expect, it } from 'vitest';
import type { Product } from '../../src/domain/catalog/product.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { NumbersApi, ReadReply } from '../../src/ports/numbers-api.ts';
import { aProduct, catalogProductId, countryId, platformId, productId, start } from '../support/values.ts';
import { dig, idsAt } from './support/dig.ts';
import { createWorld, type Variables } from './support/world.ts';

const read = <Value>(value: Value): Promise<ReadReply<Value>> =>
  Promise.resolve({ kind: 'read', value, readAt: start });

const tiers: readonly Product[] = [
  aProduct({ id: productId(1), price: rupiah(300), name: 'Telegram - Indonesia' }),
  aProduct({ id: productId(2), price: rupiah(100), name: null, countryId: countryId(7) }),
  aProduct({
    id: productId(3),
    price: rupiah(200),
    name: 'WhatsApp - Perú',
    platformId: platformId(2),
    catalogProductId: catalogProductId(99),
  }),
  aProduct({
    id: productId(4),
    price: rupiah(50),
    available: 0,
    countryId: null,
    platformId: null,
    name: null,
  }),
  aProduct({ id: productId(5), price: rupiah(400), catalogProductId: null }),
];

function shop(change: Partial<NumbersApi> = {}) {
  const reads: string[] = [];
  const world = createWorld({
    numbers: {
      products(filter) {
        reads.push(filter.countryId === null && filter.operatorId === null ? 'whole' : 'part');
        return read(
          tiers.filter(
            (tier) =>
              (filter.countryId === null || tier.countryId === filter.countryId) &&
              (filter.platformId === null || tier.platformId === filter.platformId) &&
              (filter.operatorId === null || tier.operatorId === filter.operatorId),
          ),
        );
      },
      countries: () =>
        read([
          { id: countryId(6), code: 'ID', name: 'Indonesia', dialCode: '62', emoji: null, active: true },
          { id: countryId(7), code: null, name: 'Malaysia', dialCode: null, emoji: null, active: true },
        ]),
      services: (country) =>
        read([
          {
            id: platformId(1),
            code: country === null ? 'tg' : `tg-${country}`,
            name: 'Telegram',
            active: true,
          },
        ]),
      ...change,
    },
  });
  return { ...world, reads };
}

const list = `query ($filter: CatalogFilter, $orderBy: CatalogOrder, $first: Int, $after: String) {
  catalogProducts(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    nodes { id } totalCount asOf pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

async function ids(variables: Variables): Promise<unknown> {
  const { data, errors } = await shop().ask(list, variables);
  expect(errors).toEqual([]);
  return idsAt(data, 'catalogProducts');
}

describe('catalogProducts', () => {
  it.each<[string, Variables, string[]]>([
    ['everything, cheapest first', {}, ['4', '2', '3', '1', '5']],
    [
      'null for every argument is the same',
      { filter: null, orderBy: null, first: null, after: null },
      ['4', '2', '3', '1', '5'],
    ],
    ['what is in a country', { filter: { countryIds: [7] } }, ['2']],
    ['nothing for an empty list', { filter: { countryIds: [] } }, []],
    ['what has a word in its name, without accent', { filter: { search: 'PERU' } }, ['3']],
    ['what has a made-up name', { filter: { search: 'telegram - malaysia' } }, ['2']],
    ['what can be ordered', { filter: { orderable: true } }, ['2', '3', '1']],
    ['what cannot', { filter: { orderable: false } }, ['4', '5']],
    ['what is cheap enough', { filter: { maxPrice: 100 } }, ['4', '2']],
    ['dearest first', { orderBy: { field: 'PRICE', direction: 'DESC' } }, ['5', '1', '3', '2', '4']],
    [
      'preferred countries first',
      { filter: { countryIds: [7, 6] }, orderBy: { field: 'COUNTRY_PREFERENCE' } },
      ['2', '3', '1', '5'],
    ],
    [
      'cheapest first where no country is preferred',
      { orderBy: { field: 'COUNTRY_PREFERENCE' } },
      ['4', '2', '3', '1', '5'],
    ],
  ])('lists %s', async (_title, variables, expected) => {
    expect(await ids(variables)).toEqual(expected);
  });

  it('is read on by cursors, each entry once', async () => {
    const world = shop();
    const seen: unknown[] = [];
    let after: unknown = null;
    for (let page = 0; page < 3; page++) {
      const { data } = await world.ask(list, { orderBy: { field: 'NAME' }, first: 2, after });
      expect(data).toMatchObject({
        catalogProducts: { totalCount: 5, pageInfo: { hasNextPage: page < 2, hasPreviousPage: page > 0 } },
      });
      seen.push(...idsAt(data, 'catalogProducts'));
      after = dig(data, 'catalogProducts', 'pageInfo', 'endCursor');
    }
    expect(seen.toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(world.reads).toEqual(['whole']);
  });

  it('takes no cursor of another filter or order', async () => {
    const world = shop();
    const { data } = await world.ask(list, { first: 1 });
    const after = dig(data, 'catalogProducts', 'pageInfo', 'endCursor');
    expect((await world.ask(list, { after })).errors).toEqual([]);
    for (const other of [{ filter: { maxPrice: 100 } }, { orderBy: { field: 'NAME' } }]) {
      expect((await world.ask(list, { after, ...other })).errors).toEqual(['BAD_USER_INPUT after']);
    }
  });

  it('has null cursors and nothing before or after on an empty page', async () => {
    const { data } = await shop().ask(list, { filter: { platformIds: [] } });
    expect(data).toEqual({
      catalogProducts: {
        nodes: [],
        totalCount: 0,
        asOf: '2026-09-02T06:40:00.000Z',
        pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      },
    });
  });

  it('names what the provider leaves out', async () => {
    const document =
      '{ catalogProducts(filter: { maxPrice: 100 }) { edges { node { id name countryId platformId country { name } platform { name } orderable price asOf } cursor } } }';
    const { data } = await shop().ask(document);
    expect(data).toMatchObject({
      catalogProducts: {
        edges: [
          {
            node: {
              id: '4',
              name: 'Product 4',
              countryId: 0,
              platformId: 0,
              country: null,
              platform: null,
              orderable: false,
            },
          },
          {
            node: {
              id: '2',
              name: 'Telegram - Malaysia',
              countryId: 7,
              country: { name: 'Malaysia' },
              platform: { name: 'Telegram' },
              orderable: true,
              price: 100,
              asOf: '2026-09-02T06:40:00.000Z',
            },
          },
        ],
      },
    });
  });
});

describe('catalogProduct', () => {
  const document =
    'query ($id: Int!, $refresh: Boolean! = false) { catalogProduct(catalogProductId: $id, refresh: $refresh) { id } }';

  it('is the cheapest orderable tier of the stable id', async () => {
    expect((await shop().ask(document, { id: 88 })).data).toEqual({ catalogProduct: { id: '2' } });
  });

  it('is null while none is listed', async () => {
    const world = shop();
    expect((await world.ask(document, { id: 1234 })).data).toEqual({ catalogProduct: null });
    expect((await world.ask(document, { id: 1234, refresh: true })).data).toEqual({ catalogProduct: null });
  });

  it('comes from the cached catalog, and from upstream with refresh', async () => {
    const world = shop();
    await world.ask(document, { id: 99 });
    await world.ask(document, { id: 99 });
    expect(world.reads).toEqual(['whole']);
    expect((await world.ask(document, { id: 99, refresh: true })).data).toEqual({
      catalogProduct: { id: '3' },
    });
  });
});

describe('what pickers are filled with', () => {
  it('facets count what can be ordered', async () => {
    const { data } = await shop().ask(
      '{ catalogFacets { countries { id label products available } platforms { id label products available } } }',
    );
    expect(data).toEqual({
      catalogFacets: {
        countries: [
          { id: 6, label: 'Indonesia', products: 2, available: 20 },
          { id: 7, label: 'Malaysia', products: 1, available: 10 },
        ],
        platforms: [
          { id: 2, label: null, products: 1, available: 10 },
          { id: 1, label: 'Telegram', products: 2, available: 20 },
        ],
      },
    });
  });

  it('a stock beyond what Int can say is told as its largest', async () => {
    const huge = [1, 2].map((id) => aProduct({ id: productId(id), available: 2 ** 31 - 1 }));
    const { data, errors } = await shop({ products: () => read(huge) }).ask(
      '{ catalogFacets { countries { available } } }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ catalogFacets: { countries: [{ available: 2 ** 31 - 1 }] } });
  });

  it('countries, services and operators are read as asked', async () => {
    const world = shop({
      operators: (country, platform) =>
        read([{ operatorId: null, code: 'any', name: `${country}/${platform}`, localName: null }]),
    });
    const { data } = await world.ask(
      '{ countries { id code dialCode } services { code } there: services(countryId: 6) { code } operators(countryId: 6, platformId: 1) { operatorId code name } }',
    );
    expect(data).toEqual({
      countries: [
        { id: 6, code: 'ID', dialCode: '62' },
        { id: 7, code: null, dialCode: null },
      ],
      services: [{ code: 'tg' }],
      there: [{ code: 'tg-6' }],
      operators: [{ operatorId: null, code: 'any', name: '6/1' }],
    });
  });
});

describe('exchangeRate', () => {
  const document = '{ exchangeRate { pair rate } }';

  it('is USD/IDR where nothing is said', async () => {
    const world = shop({
      exchangeRate: (pair) => read({ pair, base: 'USD', quote: 'IDR', rate: rupiah(16_000), asOf: start }),
    });
    expect((await world.ask(document)).data).toEqual({ exchangeRate: { pair: 'USD/IDR', rate: 16_000 } });
  });

  it('is null where the provider keeps none', async () => {
    const world = shop({
      exchangeRate: () => Promise.resolve({ kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' }),
    });
    expect(await world.ask(document)).toMatchObject({ data: { exchangeRate: null }, errors: [] });
  });
});
