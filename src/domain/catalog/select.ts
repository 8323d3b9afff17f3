import type { CountryId, OperatorId, PlatformId, ProductId } from '../ids.ts';
import type { Rupiah } from '../money.ts';
import { at, type Catalog, type CatalogSortKey } from './catalog.ts';
import { fold } from './fold.ts';
import type { Product } from './product.ts';

export interface CatalogFilter {
  readonly countryIds: readonly CountryId[] | null;
  readonly platformIds: readonly PlatformId[] | null;
  readonly operatorIds: readonly OperatorId[] | null;
  /** Part of the name, whatever its letter case and accents. */
  readonly search: string | null;
  readonly orderable: boolean | null;
  readonly maxPrice: Rupiah | null;
}

export interface CatalogOrder {
  /** COUNTRY_PREFERENCE: in the order in which the filter names the countries, cheapest first within one. */
  readonly field: CatalogSortKey | 'COUNTRY_PREFERENCE';
  readonly descending: boolean;
}

/** Where a page begins: behind the row of this id. The key it then had finds the place should the row be gone or moved. */
export interface CatalogPosition {
  readonly id: ProductId;
  readonly key: string | number;
  readonly group: number;
}

export interface CatalogPage {
  readonly rows: readonly number[];
  readonly hasNext: boolean;
}

/** The rows of one page, in order. `position` of its last row is what the next page begins behind. */
export function selectPage(
  catalog: Catalog,
  filter: CatalogFilter,
  order: CatalogOrder,
  page: { readonly first: number; readonly after: CatalogPosition | null },
): CatalogPage {
  const matches = matcher(catalog, filter);
  const rows: number[] = [];
  for (const { ranked, from, step, country } of runs(catalog, filter, order, page.after)) {
    // By index over typed arrays, not by generators: a page out of 50,000 may pass over all of them.
    for (let place = from; place >= 0 && place < ranked.length; place += step) {
      const row = at(ranked, place);
      if (country !== null && catalog.countryIds[row] !== country) continue;
      if (!matches(row)) continue;
      if (rows.length === page.first) return { rows, hasNext: true };
      rows.push(row);
    }
  }
  return { rows, hasNext: false };
}

/** How many rows the filter lets through. */
export function countRows(catalog: Catalog, filter: CatalogFilter): number {
  const matches = matcher(catalog, filter);
  let count = 0;
  for (let row = 0; row < catalog.products.length; row++) if (matches(row)) count++;
  return count;
}

export function positionOf(
  catalog: Catalog,
  filter: CatalogFilter,
  order: CatalogOrder,
  row: number,
): CatalogPosition {
  const product = productAt(catalog, row);
  return { id: product.id, key: sortKey(catalog, order, row), group: groupOf(catalog, filter, order, row) };
}

export function productAt(catalog: Catalog, row: number): Product {
  const product = catalog.products[row];
  if (product === undefined) throw new RangeError('no such row in the catalog');
  return product;
}

type Matcher = (row: number) => boolean;

/** Up to so many ids are compared one by one: quicker than to look them up. */
const FEW_IDS = 8;

function matcher(catalog: Catalog, filter: CatalogFilter): Matcher {
  const { countryIds, platformIds, operatorIds, orderable, maxPrice, search } = filter;
  const isCountry = oneOf(catalog.countryIds, countryIds);
  const isPlatform = oneOf(catalog.platformIds, platformIds);
  const isOperator = oneOf(catalog.operatorIds, operatorIds);
  const wantsOrderable = orderable === null ? null : Number(orderable);
  const wantsName = search === null ? null : fold(search);
  return (row) =>
    (isCountry === null || isCountry(row)) &&
    (isPlatform === null || isPlatform(row)) &&
    (isOperator === null || isOperator(row)) &&
    (wantsOrderable === null || catalog.orderable[row] === wantsOrderable) &&
    (maxPrice === null || at(catalog.prices, row) <= maxPrice) &&
    (wantsName === null || (catalog.foldedNames[row]?.includes(wantsName) ?? false));
}

/** Null: any will do. */
function oneOf(column: Int32Array, ids: readonly number[] | null): Matcher | null {
  if (ids === null) return null;
  if (ids.length > FEW_IDS) {
    const wanted = new Set(ids);
    return (row) => wanted.has(at(column, row));
  }
  const wanted = Int32Array.from(ids);
  return (row) => wanted.includes(at(column, row));
}

/** A stretch of a ranking, read in one direction; of one country alone where it is named. */
interface Run {
  readonly ranked: Int32Array;
  readonly from: number;
  readonly step: 1 | -1;
  readonly country: CountryId | null;
}

function runs(
  catalog: Catalog,
  filter: CatalogFilter,
  order: CatalogOrder,
  after: CatalogPosition | null,
): readonly Run[] {
  const { field, descending } = order;
  if (field !== 'COUNTRY_PREFERENCE') return [runOf(catalog, field, descending, after, null)];
  // Named twice, a country counts where it stands first.
  const preferred = [...new Set(filter.countryIds ?? [])];
  // Without countries to prefer, the cheapest first.
  if (preferred.length === 0) return [runOf(catalog, 'PRICE', descending, after, null)];
  const groups = preferred.map((country, group) => ({ country, group }));
  if (descending) groups.reverse();
  return groups
    .filter(({ group }) => after === null || (descending ? group <= after.group : group >= after.group))
    .map(({ country, group }) =>
      runOf(catalog, 'PRICE', descending, group === after?.group ? after : null, country),
    );
}

function runOf(
  catalog: Catalog,
  key: CatalogSortKey,
  descending: boolean,
  after: CatalogPosition | null,
  country: CountryId | null,
): Run {
  const ranked = catalog.ranked[key];
  if (descending) {
    const end = after === null ? ranked.length : firstBehind(catalog, key, ranked, after);
    return { ranked, from: end - 1, step: -1, country };
  }
  return {
    ranked,
    from: after === null ? 0 : firstBehind(catalog, key, ranked, after, true),
    step: 1,
    country,
  };
}

/** Binary search: the first place not below (or, with `past`, above) the position. */
function firstBehind(
  catalog: Catalog,
  key: CatalogSortKey,
  rows: Int32Array,
  position: CatalogPosition,
  past = false,
): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compare(catalog, key, at(rows, middle), position);
    if (order < 0 || (past && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(catalog: Catalog, key: CatalogSortKey, row: number, position: CatalogPosition): number {
  const value = sortKey(catalog, { field: key, descending: false }, row);
  if (value !== position.key) return value < position.key ? -1 : 1;
  return productAt(catalog, row).id - position.id;
}

function sortKey(catalog: Catalog, order: CatalogOrder, row: number): string | number {
  switch (order.field) {
    case 'PRICE':
    case 'COUNTRY_PREFERENCE':
      return at(catalog.prices, row);
    case 'AVAILABLE':
      return productAt(catalog, row).available;
    case 'NAME':
      return catalog.foldedNames[row] ?? '';
  }
}

function groupOf(catalog: Catalog, filter: CatalogFilter, order: CatalogOrder, row: number): number {
  if (order.field !== 'COUNTRY_PREFERENCE') return 0;
  const preferred = [...new Set<number>(filter.countryIds ?? [])];
  return Math.max(0, preferred.indexOf(at(catalog.countryIds, row)));
}
