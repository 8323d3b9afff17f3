import type { CatalogProductId, CountryId, PlatformId, ProductId } from '../ids.ts';
import type { Instant } from '../time.ts';
import { fold } from './fold.ts';
import { type Country, isOrderable, type Platform, type Product } from './product.ts';

export type CatalogSortKey = 'PRICE' | 'AVAILABLE' | 'NAME';

/** No id: compared with by tiers that name no country, platform or operator. */
export const NO_ID = -1;

/**
 * One reading of the catalog, made ready for questions: columns in typed arrays beside the rows, and the rows' order
 * by each key sorted once. A page out of 50,000 rows then touches numbers and no objects.
 */
export interface Catalog {
  readonly products: readonly Product[];
  readonly names: readonly string[];
  readonly foldedNames: readonly string[];
  readonly countryIds: Int32Array;
  readonly platformIds: Int32Array;
  readonly operatorIds: Int32Array;
  readonly prices: Float64Array;
  readonly orderable: Uint8Array;
  /** Row numbers, ascending by the key, then by id. */
  readonly ranked: Readonly<Record<CatalogSortKey, Int32Array>>;
  /** The rows of each country, ascending by price, then by id. */
  readonly rankedIn: ReadonlyMap<number, Int32Array>;
  readonly rowOf: ReadonlyMap<ProductId, number>;
  readonly rowsOf: ReadonlyMap<CatalogProductId, readonly number[]>;
  readonly countries: ReadonlyMap<CountryId, Country>;
  readonly platforms: ReadonlyMap<PlatformId, Platform>;
  /** When the reading began. */
  readonly asOf: Instant;
}

export function buildCatalog(
  products: readonly Product[],
  countries: readonly Country[],
  platforms: readonly Platform[],
  asOf: Instant,
): Catalog {
  const countryOf = new Map(countries.map((country) => [country.id, country]));
  const platformOf = new Map(platforms.map((platform) => [platform.id, platform]));
  const names = products.map((product) => nameOf(product, countryOf, platformOf));
  const foldedNames = names.map(fold);
  const prices = Float64Array.from(products, (product) => product.price);
  const available = Float64Array.from(products, (product) => product.available);
  const ids = Int32Array.from(products, (product) => product.id);
  const byId = (a: number, b: number): number => at(ids, a) - at(ids, b);
  const rows = Int32Array.from(products.keys());
  const nameRank = rankOf(foldedNames);
  const rowsOf = new Map<CatalogProductId, number[]>();
  for (const [row, product] of products.entries()) {
    if (product.catalogProductId === null) continue;
    const siblings = rowsOf.get(product.catalogProductId);
    if (siblings === undefined) rowsOf.set(product.catalogProductId, [row]);
    else siblings.push(row);
  }
  const countryIds = Int32Array.from(products, (product) => product.countryId ?? NO_ID);
  const byPrice = rows.slice().sort((a, b) => at(prices, a) - at(prices, b) || byId(a, b));
  return {
    products,
    names,
    foldedNames,
    countryIds,
    platformIds: Int32Array.from(products, (product) => product.platformId ?? NO_ID),
    operatorIds: Int32Array.from(products, (product) => product.operatorId ?? NO_ID),
    prices,
    orderable: Uint8Array.from(products, (product) => (isOrderable(product) ? 1 : 0)),
    ranked: {
      PRICE: byPrice,
      AVAILABLE: rows.slice().sort((a, b) => at(available, a) - at(available, b) || byId(a, b)),
      NAME: rows.slice().sort((a, b) => at(nameRank, a) - at(nameRank, b) || byId(a, b)),
    },
    rankedIn: groupedBy(countryIds, byPrice),
    rowOf: new Map(products.map((product, row) => [product.id, row])),
    rowsOf,
    countries: countryOf,
    platforms: platformOf,
    asOf,
  };
}

/** What the graph calls a product: the provider's name, or one made of what it is. */
export function nameOf(
  product: Product,
  countries: ReadonlyMap<CountryId, Country>,
  platforms: ReadonlyMap<PlatformId, Platform>,
): string {
  if (product.name !== null && product.name.trim() !== '') return product.name;
  const platform = product.platformId === null ? undefined : platforms.get(product.platformId)?.name;
  const country = product.countryId === null ? undefined : countries.get(product.countryId)?.name;
  const known = [platform, country].filter((part) => part !== undefined);
  return known.length > 0 ? known.join(' - ') : `Product ${product.id}`;
}

/** A row number is always within its column; 0 only satisfies the compiler. */
export function at(column: Int32Array | Float64Array | Uint8Array, row: number): number {
  return column[row] ?? 0;
}

/** The rows that share an id, in the order in which they come. */
function groupedBy(ids: Int32Array, rows: Int32Array): ReadonlyMap<number, Int32Array> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const id = at(ids, row);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [row]);
    else group.push(row);
  }
  return new Map([...groups].map(([id, group]) => [id, Int32Array.from(group)]));
}

/** The place of each text in sorted order; equal texts share one. Sorting numbers afterwards is far quicker than texts again. */
function rankOf(texts: readonly string[]): Int32Array {
  const sorted = [...new Set(texts)].sort();
  const placeOf = new Map(sorted.map((text, place) => [text, place]));
  return Int32Array.from(texts, (text) => placeOf.get(text) ?? 0);
}
