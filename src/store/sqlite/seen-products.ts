import { asc, eq, sql } from 'drizzle-orm';
import type { Product } from '../../domain/catalog/product.ts';
import {
  type ProductId,
  parseCatalogProductId,
  parseCountryId,
  parseOperatorId,
  parsePlatformId,
  parseProductId,
} from '../../domain/ids.ts';
import { parseRupiah } from '../../domain/money.ts';
import type { SeenProducts } from '../../ports/store/catalog.ts';
import { rowReader } from '../bad-row.ts';
import { type Base, inList } from './base.ts';
import { seenProducts } from './tables.ts';
import { rowWriter } from './write-rows.ts';

type ProductRow = typeof seenProducts.$inferSelect;

/** Products compared or written at a stretch: a catalog has tens of thousands, and other work must get its turn. */
const CHUNK = 500;

/** What a listing may leave out; null then says nothing, and what was known of it stays. */
const descriptive = [
  'catalogProductId',
  'name',
  'countryId',
  'platformId',
  'operatorId',
  'operatorName',
] as const satisfies readonly (keyof Product)[];

export function createSeenProducts({ database, db, writer }: Base): SeenProducts {
  const findMany = db
    .select()
    .from(seenProducts)
    .where(inList(seenProducts.id, 'ids'))
    .orderBy(asc(seenProducts.id))
    .prepare();
  const findOfCatalog = db
    .select()
    .from(seenProducts)
    .where(eq(seenProducts.catalogProductId, sql.placeholder('catalogProductId')))
    .orderBy(asc(seenProducts.id))
    .prepare();
  const save = rowWriter(database, seenProducts, { replaceBy: ['id'] });

  function known(products: readonly { readonly id: ProductId }[]): Map<ProductId, Product> {
    const rows = findMany.all({ ids: JSON.stringify(products.map(({ id }) => id)) });
    return new Map(rows.map(productFrom).map((product) => [product.id, product]));
  }

  /** Those of the products that tell something new, completed by what is known of them. */
  function news(products: readonly Product[]): Product[] {
    const before = known(products);
    return products.flatMap((product) => {
      const old = before.get(product.id);
      if (old === undefined) return [product];
      const differs = descriptive.some((key) => product[key] !== null && product[key] !== old[key]);
      return differs ? [completed(product, old)] : [];
    });
  }

  return {
    async remember(products) {
      for (let start = 0; start < products.length; start += CHUNK) {
        const chunk = products.slice(start, start + CHUNK);
        // Asked before a transaction is begun: nearly every refresh tells nothing new.
        if (news(chunk).length === 0) {
          await turn();
          continue;
        }
        await writer.write(() => {
          for (const product of news(chunk)) save({ ...product });
        });
      }
    },
    async ofCatalogProduct(catalogProductId) {
      return findOfCatalog.all({ catalogProductId }).map(productFrom);
    },
    async byIds(ids) {
      return findMany.all({ ids: JSON.stringify(ids) }).map(productFrom);
    },
  };
}

/** A turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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

function productFrom(row: ProductRow): Product {
  const read = rowReader('seen_products', row.id);
  return {
    id: read.sure(parseProductId(row.id)),
    catalogProductId: read.maybe(row.catalogProductId, parseCatalogProductId),
    name: row.name,
    countryId: read.maybe(row.countryId, parseCountryId),
    platformId: read.maybe(row.platformId, parsePlatformId),
    operatorId: read.maybe(row.operatorId, parseOperatorId),
    operatorName: row.operatorName,
    available: row.available,
    price: read.sure(parseRupiah(row.price)),
    active: row.active,
    asOf: read.instant(row.asOf),
  };
}
