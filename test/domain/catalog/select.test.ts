import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog, nameOf } from '../../../src/domain/catalog/catalog.ts';
import type { Country, Platform, Product } from '../../../src/domain/catalog/product.ts';
import { cheapest, isOrderable } from '../../../src/domain/catalog/product.ts';
import {
  type CatalogFilter,
  type CatalogOrder,
  type CatalogPosition,
  countRows,
  positionOf,
  productAt,
  selectPage,
} from '../../../src/domain/catalog/select.ts';
import { rupiah } from '../../../src/domain/money.ts';
import {
  aProduct,
  catalogProductId,
  countryId,
  operatorId,
  platformId,
  productId,
  start,
} from '../../support/values.ts';

const everything: CatalogFilter = {
  countryIds: null,
  platformIds: null,
  operatorIds: null,
  search: null,
  orderable: null,
  maxPrice: null,
};
const byPrice: CatalogOrder = { field: 'PRICE', descending: false };

function catalog(products: readonly Product[]): Catalog {
  return buildCatalog(products, [], [], start);
}

function tier(id: number, change: Partial<Product> = {}): Product {
  return aProduct({ id: productId(id), ...change });
}

function ids(
  of: Catalog,
  filter: Partial<CatalogFilter> = {},
  order: CatalogOrder = byPrice,
  first = 100,
): number[] {
  const { rows } = selectPage(of, { ...everything, ...filter }, order, { first, after: null });
  return rows.map((row) => productAt(of, row).id);
}

describe('a filter', () => {
  const rows = catalog([
    tier(1, { price: rupiah(1), countryId: countryId(6), platformId: platformId(1) }),
    tier(2, { price: rupiah(2), countryId: countryId(7), platformId: platformId(1), available: 0 }),
    tier(3, {
      price: rupiah(3),
      countryId: countryId(7),
      platformId: platformId(2),
      operatorId: operatorId(3),
    }),
    tier(4, {
      price: rupiah(4),
      countryId: null,
      platformId: null,
      active: false,
      name: 'WhatsApp – Việt Nam',
    }),
    tier(5, { price: rupiah(5), catalogProductId: null }),
  ]);

  it.each<[string, Partial<CatalogFilter>, number[]]>([
    ['none', {}, [1, 2, 3, 4, 5]],
    ['one country', { countryIds: [countryId(7)] }, [2, 3]],
    ['countries', { countryIds: [countryId(7), countryId(6)] }, [1, 2, 3, 5]],
    ['no country at all', { countryIds: [] }, []],
    ['a country that is not there', { countryIds: [countryId(99)] }, []],
    ['a platform', { platformIds: [platformId(2)] }, [3]],
    ['an operator', { operatorIds: [operatorId(3)] }, [3]],
    ['what can be ordered', { orderable: true }, [1, 3]],
    ['what cannot', { orderable: false }, [2, 4, 5]],
    ['a highest price', { maxPrice: rupiah(3) }, [1, 2, 3]],
    ['a part of the name, without accents', { search: 'viet' }, [4]],
    ['in capitals, with accents', { search: ' VIỆT NAM' }, [4]],
    ['a part of no name', { search: 'viber' }, []],
    ['an empty search', { search: '' }, [1, 2, 3, 4, 5]],
    [
      'all together',
      { countryIds: [countryId(7)], platformIds: [platformId(2)], orderable: true, search: 'tele' },
      [3],
    ],
  ])('%s', (_, filter, expected) => {
    expect(ids(rows, filter)).toEqual(expected);
    expect(countRows(rows, { ...everything, ...filter })).toBe(expected.length);
  });
});

describe('an order', () => {
  const rows = catalog([
    tier(3, { price: rupiah(5), available: 2, name: 'b', countryId: countryId(6) }),
    tier(1, { price: rupiah(5), available: 9, name: 'C', countryId: countryId(7) }),
    tier(2, { price: rupiah(4), available: 2, name: 'á', countryId: countryId(8) }),
    tier(4, { price: rupiah(9), available: 0, name: 'a', countryId: countryId(7) }),
  ]);

  it.each<[CatalogOrder['field'], number[]]>([
    ['PRICE', [2, 1, 3, 4]],
    ['AVAILABLE', [4, 2, 3, 1]],
    ['NAME', [2, 4, 3, 1]],
    ['COUNTRY_PREFERENCE', [2, 1, 3, 4]],
  ])('by %s, equals by their ids, and the same backwards', (field, expected) => {
    expect(ids(rows, {}, { field, descending: false })).toEqual(expected);
    expect(ids(rows, {}, { field, descending: true })).toEqual(expected.toReversed());
  });

  it.each<[string, number[], number[]]>([
    ['as they are named', [7, 6, 8], [1, 4, 3, 2]],
    ['another way', [8, 7], [2, 1, 4]],
    ['one twice: its first place', [6, 8, 6], [3, 2]],
    ['one without a tier', [99, 6], [3]],
  ])('by countries, %s, the cheapest first within one', (_, countries, expected) => {
    const filter = { countryIds: countries.map(countryId) };
    const order = { field: 'COUNTRY_PREFERENCE', descending: false } as const;
    expect(ids(rows, filter, order)).toEqual(expected);
    expect(ids(rows, filter, { ...order, descending: true })).toEqual(expected.toReversed());
  });
});

const some = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 4 });
const products = fc
  .array(
    fc.record({
      price: fc.integer({ min: 1, max: 4 }),
      available: fc.integer({ min: 0, max: 3 }),
      name: fc.constantFrom('a', 'Á', 'b', 'ab'),
      country: some(3),
      platform: some(2),
      active: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .chain((rows) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows.keys()], { minLength: rows.length })),
  )
  .map(([rows, order]) =>
    rows.map(({ price, available, name, country, platform, active }, n) =>
      tier(order[n] ?? 0, {
        price: rupiah(price),
        available,
        name,
        active,
        countryId: country === null ? null : countryId(country),
        platformId: platform === null ? null : platformId(platform),
      }),
    ),
  );
const filters: fc.Arbitrary<CatalogFilter> = fc.record({
  platformIds: fc.constant(null),
  operatorIds: fc.constant(null),
  maxPrice: fc.constant(null),
  countryIds: fc.option(fc.array(fc.integer({ min: 1, max: 4 }).map(countryId), { maxLength: 4 })),
  search: fc.option(fc.constantFrom('a', 'B')),
  orderable: fc.option(fc.boolean(), { freq: 1 }),
});
const orders: fc.Arbitrary<CatalogOrder> = fc.record({
  field: fc.constantFrom('PRICE', 'AVAILABLE', 'NAME', 'COUNTRY_PREFERENCE'),
  descending: fc.boolean(),
});

describe('pages', () => {
  function pagesOf(of: Catalog, filter: CatalogFilter, order: CatalogOrder, first: number): number[][] {
    const pages: number[][] = [];
    let after: CatalogPosition | null = null;
    for (;;) {
      const page = selectPage(of, filter, order, { first, after });
      pages.push(page.rows.map((row) => productAt(of, row).id));
      const last = page.rows.at(-1);
      if (!page.hasNext || last === undefined) return pages;
      after = positionOf(of, filter, order, last);
    }
  }

  it('put together are the whole list: nothing twice, nothing lost', () => {
    fc.assert(
      fc.property(products, filters, orders, fc.integer({ min: 1, max: 7 }), (list, filter, order, first) => {
        const of = catalog(list);
        const pages = pagesOf(of, filter, order, first);
        expect(pages.flat()).toEqual(ids(of, filter, order));
        expect(pages.flat()).toHaveLength(countRows(of, filter));
        expect(pages.slice(0, -1).every((page) => page.length === first)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('are in order, by a comparison of their own', () => {
    const collate = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
    fc.assert(
      fc.property(products, filters, orders, (list, filter, order) => {
        const of = catalog(list);
        const preferred = [...new Set(filter.countryIds ?? [])];
        const place = ({ countryId: id }: Product): number => (id === null ? -1 : preferred.indexOf(id));
        const compare = (a: Product, b: Product): number => {
          switch (order.field) {
            case 'PRICE':
              return a.price - b.price || a.id - b.id;
            case 'AVAILABLE':
              return a.available - b.available || a.id - b.id;
            case 'NAME': {
              const bare = (name: string | null): string => (name ?? '').toLowerCase().replace('á', 'a');
              return collate(bare(a.name), bare(b.name)) || a.id - b.id;
            }
            case 'COUNTRY_PREFERENCE':
              return place(a) - place(b) || a.price - b.price || a.id - b.id;
          }
        };
        const found = ids(of, filter, order);
        const sorted = list
          .filter(({ id }) => found.includes(id))
          .sort((a, b) => compare(a, b) * (order.descending ? -1 : 1));
        expect(found).toEqual(sorted.map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });

  it('go on behind a row that has vanished or moved, with no other row twice or lost', () => {
    fc.assert(
      fc.property(products, filters, orders, fc.nat(), fc.boolean(), (list, filter, order, pick, moves) => {
        const before = catalog(list);
        const whole = ids(before, filter, order);
        fc.pre(whole.length > 0);
        const cut = pick % whole.length;
        const gone = whole[cut];
        const row = before.products.findIndex(({ id }) => id === gone);
        const position = positionOf(before, filter, order, row);
        const rest = list.filter(({ id }) => id !== gone);
        // Dearer, better stocked and otherwise called than any other.
        const moved = moves
          ? list
              .filter(({ id }) => id === gone)
              .map((product) => ({ ...product, price: rupiah(99), available: 99, name: 'zz' }))
          : [];
        const now = catalog([...rest, ...moved]);
        const { rows } = selectPage(now, filter, order, { first: 100, after: position });
        const others = rows.map((found) => productAt(now, found).id).filter((id) => id !== gone);
        expect(others).toEqual(whole.slice(cut + 1));
      }),
      { numRuns: 300 },
    );
  });

  it('tell whether there is more', () => {
    const of = catalog([tier(1), tier(2), tier(3)]);
    expect(selectPage(of, everything, byPrice, { first: 3, after: null }).hasNext).toBe(false);
    expect(selectPage(of, everything, byPrice, { first: 2, after: null }).hasNext).toBe(true);
    const last = positionOf(of, everything, byPrice, 2);
    expect(selectPage(of, everything, byPrice, { first: 2, after: last })).toEqual({
      rows: [],
      hasNext: false,
    });
  });
});

describe('a catalog', () => {
  const indonesia: Country = {
    id: countryId(6),
    code: 'ID',
    name: 'Indonesia',
    dialCode: '62',
    emoji: null,
    active: true,
  };
  const telegram: Platform = { id: platformId(1), code: 'tg', name: 'Telegram', active: true };

  it.each<[string, Partial<Product>, string]>([
    ['its own', { name: 'Mine' }, 'Mine'],
    ['one made of platform and country', { name: null }, 'Telegram - Indonesia'],
    ['a blank one is none', { name: '  ' }, 'Telegram - Indonesia'],
    ['of the platform alone', { name: null, countryId: null }, 'Telegram'],
    ['of the country alone', { name: null, platformId: platformId(9) }, 'Indonesia'],
    ['of the number', { name: null, countryId: null, platformId: null }, 'Product 70'],
  ])('calls a tier by %s', (_, change, name) => {
    const countries = new Map([[indonesia.id, indonesia]]);
    const platforms = new Map([[telegram.id, telegram]]);
    expect(nameOf(aProduct(change), countries, platforms)).toBe(name);
  });

  it('finds tiers by their id and by what they are ordered by', () => {
    const of = catalog([
      tier(1),
      tier(2, { catalogProductId: null }),
      tier(3),
      tier(4, { catalogProductId: catalogProductId(89) }),
    ]);
    expect(of.rowOf.get(productId(3))).toBe(2);
    expect(of.rowsOf.get(catalogProductId(88))).toEqual([0, 2]);
    expect(of.rowsOf.get(catalogProductId(89))).toEqual([3]);
    expect(of.rowsOf.get(catalogProductId(90))).toBeUndefined();
  });

  it('has no row beside its rows', () => {
    expect(() => productAt(catalog([tier(1)]), 1)).toThrow(RangeError);
  });
});

describe('the tier that is shown for several', () => {
  it.each<[string, readonly Product[], number | null]>([
    ['of none, none', [], null],
    ['the cheapest', [tier(1, { price: rupiah(9) }), tier(2, { price: rupiah(5) })], 2],
    ['of equals, the one with the lower id', [tier(2), tier(1)], 1],
    [
      'one that can be ordered before a cheaper one that cannot',
      [tier(1, { price: rupiah(1), available: 0 }), tier(2)],
      2,
    ],
    [
      'of those that cannot, the cheapest',
      [tier(1, { available: 0 }), tier(2, { active: false, price: rupiah(1) })],
      2,
    ],
  ])('%s', (_, tiers, id) => {
    expect(cheapest(tiers)?.id ?? null).toBe(id);
  });

  it('can be ordered when it is active, in stock, and has an id to order by', () => {
    expect(isOrderable(tier(1))).toBe(true);
    expect(isOrderable(tier(1, { active: false }))).toBe(false);
    expect(isOrderable(tier(1, { available: 0 }))).toBe(false);
    expect(isOrderable(tier(1, { available: -1 }))).toBe(false);
    expect(isOrderable(tier(1, { catalogProductId: null }))).toBe(false);
  });
});
