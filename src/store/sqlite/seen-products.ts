import { asc, eq, sql } from 'drizzle-orm';
import type { Product } from '../../domain/catalog/product.ts';
import type { ProductId } from '../../domain/ids.ts';
import type { SeenProducts } from '../../ports/store/catalog.ts';
import { productFrom, productNews } from '../rows/product.ts';
import { type Base, inList } from './base.ts';
import { seenProducts } from './tables.ts';
import { rowWriter } from './write-rows.ts';

/** Products compared or written at a stretch: a catalog has tens of thousands, and other work must get its turn. */
const CHUNK = 500;

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

  function news(products: readonly Product[]): readonly Product[] {
    return productNews(products, known(products));
  }

  return {
    async remember(products) {
      for (let start = 0; start < products.length; start += CHUNK) {
        // A stop does not wait for what the next reading of the catalog tells again.
        if (!database.open) return;
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
