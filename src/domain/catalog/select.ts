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
  for (const row of inOrder(catalog, filter, order, page.after)) {
    if (!matches(row)) continue;
    if (rows.length === page.first) return { rows, hasNext: true };
    rows.push(row);
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

function matcher(catalog: Catalog, filter: CatalogFilter): Matcher {
  const tests: Matcher[] = [];
  const { countryIds, platformIds, operatorIds, maxPrice } = filter;
  const oneOf = (column: Int32Array, ids: readonly number[]): void => {
    const only = ids[0];
    if (ids.length === 1 && only !== undefined) tests.push((row) => column[row] === only);
    else {
      const wanted = new Set(ids);
      tests.push((row) => wanted.has(at(column, row)));
    }
  };
  if (countryIds !== null) oneOf(catalog.countryIds, countryIds);
  if (platformIds !== null) oneOf(catalog.platformIds, platformIds);
  if (operatorIds !== null) oneOf(catalog.operatorIds, operatorIds);
  if (filter.orderable !== null) {
    const wanted = filter.orderable ? 1 : 0;
    tests.push((row) => catalog.orderable[row] === wanted);
  }
  if (maxPrice !== null) tests.push((row) => at(catalog.prices, row) <= maxPrice);
  if (filter.search !== null) {
    const wanted = fold(filter.search);
    tests.push((row) => catalog.foldedNames[row]?.includes(wanted) ?? false);
  }
  return (row) => tests.every((test) => test(row));
}

function* inOrder(
  catalog: Catalog,
  filter: CatalogFilter,
  order: CatalogOrder,
  after: CatalogPosition | null,
): Generator<number> {
  if (order.field !== 'COUNTRY_PREFERENCE') {
    yield* ranked(catalog, order.field, order.descending, after);
    return;
  }
  // Named twice, a country counts where it stands first.
  const preferred = [...new Set(filter.countryIds ?? [])];
  const groups: (readonly [number, CountryId])[] = preferred.map((country, group) => [group, country]);
  if (order.descending) groups.reverse();
  for (const [group, country] of groups) {
    if (after !== null && (order.descending ? group > after.group : group < after.group)) continue;
    const start = after !== null && group === after.group ? after : null;
    for (const row of ranked(catalog, 'PRICE', order.descending, start)) {
      if (catalog.countryIds[row] === country) yield row;
    }
  }
  // Without countries to prefer, the cheapest first.
  if (preferred.length === 0) yield* ranked(catalog, 'PRICE', order.descending, after);
}

function* ranked(
  catalog: Catalog,
  key: CatalogSortKey,
  descending: boolean,
  after: CatalogPosition | null,
): Generator<number> {
  const rows = catalog.ranked[key];
  const step = descending ? -1 : 1;
  let place = descending ? rows.length - 1 : 0;
  if (after !== null)
    place = descending
      ? firstBehind(catalog, key, rows, after) - 1
      : firstBehind(catalog, key, rows, after, true);
  for (; place >= 0 && place < rows.length; place += step) yield at(rows, place);
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
