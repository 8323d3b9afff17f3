import type { Product } from '../../domain/catalog/product.ts';
import type { SeenProducts } from '../../ports/store/catalog.ts';
import { productFrom, productNews } from '../rows/product.ts';
import type { Base } from './base.ts';
import { insertInto, replacing, select } from './statements.ts';
import { seenProducts } from './tables.ts';
import { keep, leave } from './transaction.ts';

/** Products compared or written at a stretch. */
const CHUNK = 500;

const findMany = select(seenProducts, 'where id = any($1::bigint[]) order by id');
const lockMany = select(seenProducts, 'where id = any($1::bigint[]) order by id for no key update');
const findOfCatalog = select(seenProducts, 'where catalog_product_id = $1 order by id');
const save = insertInto(seenProducts, replacing(seenProducts, 'id'));

type ProductRow = typeof seenProducts.$inferSelect;

export function createSeenProducts({ database }: Base): SeenProducts {
  return {
    async remember(products) {
      for (let start = 0; start < products.length; start += CHUNK) {
        const chunk = products.slice(start, start + CHUNK);
        const ids = chunk.map(({ id }) => id);
        // Asked before a transaction is begun: nearly every refresh tells nothing new.
        if (productNews(chunk, byId(await database.read(findMany, [ids]))).length === 0) continue;
        await database.write(async (tx) => {
          const news = productNews(chunk, byId(await tx.rows(lockMany, [ids])));
          if (news.length === 0) return leave(undefined);
          // The last of equal ids counts, and all in their order: two that refresh at once never wait in a circle.
          const rows = [...new Map(news.map((product) => [product.id, product])).values()];
          rows.sort((a, b) => a.id - b.id);
          tx.send(save, save.values(rows.map((product) => ({ ...product }))));
          return keep(() => undefined);
        });
      }
    },
    async ofCatalogProduct(catalogProductId) {
      return (await database.read(findOfCatalog, [catalogProductId])).map(productFrom);
    },
    async byIds(ids) {
      return (await database.read(findMany, [ids])).map(productFrom);
    },
  };
}

function byId(rows: readonly ProductRow[]): ReadonlyMap<Product['id'], Product> {
  return new Map(rows.map(productFrom).map((product) => [product.id, product]));
}
