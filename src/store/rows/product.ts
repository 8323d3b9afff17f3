import type { Product } from '../../domain/catalog/product.ts';
import {
  parseCatalogProductId,
  parseCountryId,
  parseOperatorId,
  parsePlatformId,
  parseProductId,
} from '../../domain/ids.ts';
import { parseRupiah } from '../../domain/money.ts';
import { rowReader } from '../bad-row.ts';
import type { Place } from '../order-contribution.ts';

export interface ProductRow {
  readonly id: number;
  readonly catalogProductId: number | null;
  readonly name: string | null;
  readonly countryId: number | null;
  readonly platformId: number | null;
  readonly operatorId: number | null;
  readonly operatorName: string | null;
  readonly available: number;
  readonly price: number;
  readonly active: boolean;
  readonly asOf: number;
}

export function productFrom(row: ProductRow): Product {
  const read = rowReader('seen_products', row.id);
  return {
    ...placeFrom(row),
    id: read.sure(parseProductId(row.id)),
    catalogProductId: read.maybe(row.catalogProductId, parseCatalogProductId),
    name: row.name,
    operatorId: read.maybe(row.operatorId, parseOperatorId),
    operatorName: row.operatorName,
    available: row.available,
    price: read.sure(parseRupiah(row.price)),
    active: row.active,
    asOf: read.instant(row.asOf),
  };
}

export function placeFrom(row: Pick<ProductRow, 'id' | 'platformId' | 'countryId'>): Place {
  const read = rowReader('seen_products', row.id);
  return {
    platformId: read.maybe(row.platformId, parsePlatformId),
    countryId: read.maybe(row.countryId, parseCountryId),
  };
}

/** What a listing may leave out; null then says nothing, and what was known of it stays. */
const descriptive = [
  'catalogProductId',
  'name',
  'countryId',
  'platformId',
  'operatorId',
  'operatorName',
] as const satisfies readonly (keyof Product)[];

/** Those of the products that tell something new, completed by what is known of them. */
export function productNews(
  products: readonly Product[],
  known: ReadonlyMap<Product['id'], Product>,
): readonly Product[] {
  return products.flatMap((product) => {
    const old = known.get(product.id);
    if (old === undefined) return [product];
    const differs = descriptive.some((key) => product[key] !== null && product[key] !== old[key]);
    return differs ? [completed(product, old)] : [];
  });
}

function completed(product: Product, old: Product): Product {
  return {
    ...product,
    catalogProductId: product.catalogProductId ?? old.catalogProductId,
    name: product.name ?? old.name,
    countryId: product.countryId ?? old.countryId,
    platformId: product.platformId ?? old.platformId,
    operatorId: product.operatorId ?? old.operatorId,
    operatorName: product.operatorName ?? old.operatorName,
  };
}
