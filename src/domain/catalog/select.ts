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
  const rows: number[] = [];
  for (const { stretches, step, judged } of runs(catalog, filter, order, page.after)) {
    const matches = matcher(catalog, judged);
    // By index over typed arrays, not by generators: a page out of 50,000 may pass over all of them.
    for (let row = next(catalog, stretches, step); row !== null; row = next(catalog, stretches, step)) {
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

/** Part of a ranking, from `place` to where it ends in the run's direction. */
interface Stretch {
  readonly ranked: Int32Array;
  place: number;
}

/** Stretches by price that are read together, in one order. */
interface Run {
  readonly stretches: readonly Stretch[];
  readonly step: 1 | -1;
  /** What is still to be judged of each row. */
  readonly judged: CatalogFilter;
}

function runs(
  catalog: Catalog,
  filter: CatalogFilter,
  order: CatalogOrder,
  after: CatalogPosition | null,
): readonly Run[] {
  const { field, descending } = order;
  const step = descending ? -1 : 1;
  // Named twice, a country counts where it stands first.
  const countries = [...new Set(filter.countryIds ?? [])];
  const judged = { ...filter, countryIds: null };
  const of = (ranked: Int32Array, key: CatalogSortKey, behind: CatalogPosition | null): Stretch => ({
    ranked,
    place: startOf(catalog, ranked, key, descending, behind),
  });
  const ofCountry = (country: number, behind: CatalogPosition | null): Stretch =>
    of(catalog.rankedIn.get(country) ?? NO_ROWS, 'PRICE', behind);

  if (field === 'COUNTRY_PREFERENCE' && countries.length > 0) {
    const groups = countries.map((country, group) => ({ country, group }));
    if (descending) groups.reverse();
    return groups
      .filter(({ group }) => after === null || (descending ? group <= after.group : group >= after.group))
      .map(({ country, group }) => {
        const stretches = [ofCountry(country, group === after?.group ? after : null)];
        return { stretches, step, judged };
      });
  }
  // Without countries to prefer, the cheapest first.
  const key = field === 'COUNTRY_PREFERENCE' ? 'PRICE' : field;
  if (key === 'PRICE' && countries.length > 0 && countries.length <= FEW_IDS) {
    return [{ stretches: countries.map((country) => ofCountry(country, after)), step, judged }];
  }
  return [{ stretches: [of(catalog.ranked[key], key, after)], step, judged: filter }];
}

const NO_ROWS = new Int32Array();

/** Takes the next row of the run: of several stretches the one that comes first. Null at their end. */
function next(catalog: Catalog, stretches: readonly Stretch[], step: 1 | -1): number | null {
  let best: Stretch | null = null;
  let row = 0;
  for (const stretch of stretches) {
    if (stretch.place < 0 || stretch.place >= stretch.ranked.length) continue;
    const head = at(stretch.ranked, stretch.place);
    if (best !== null && step * byPrice(catalog, head, row) >= 0) continue;
    best = stretch;
    row = head;
  }
  if (best === null) return null;
  best.place += step;
  return row;
}

function byPrice({ prices, products }: Catalog, a: number, b: number): number {
  return at(prices, a) - at(prices, b) || (products[a]?.id ?? 0) - (products[b]?.id ?? 0);
}

/** The place that a page behind `after` begins at, in its direction. */
function startOf(
  catalog: Catalog,
  ranked: Int32Array,
  key: CatalogSortKey,
  descending: boolean,
  after: CatalogPosition | null,
): number {
  if (descending) return (after === null ? ranked.length : firstBehind(catalog, key, ranked, after)) - 1;
  return after === null ? 0 : firstBehind(catalog, key, ranked, after, true);
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
