import type { Product } from '../../domain/catalog/product.ts';
import type { ProductId } from '../../domain/ids.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadReply } from '../../ports/numbers-api.ts';
import type { ProductPage } from './catalog-wire.ts';

/** Rows asked for at once: to read and check them holds the event loop for some 10 ms. The provider allows 10,000. */
export const PAGE_LIMIT = 2_000;

/** Ten times the largest catalog heard of. An upstream that pages on for ever must not fill the memory. */
const MOST_ROWS = 500_000;
const MOST_PAGES = 1_000;

/**
 * Reads page after page until one is not full, or brings nothing new (a server that repeats itself), or the bound. Pages
 * are no snapshot of the catalog, so a row may come twice: rows are kept by id, the last reading of a row wins.
 */
export async function readAllPages(
  readPage: (page: number) => Promise<ReadReply<ProductPage>>,
  log: Log,
): Promise<ReadReply<readonly Product[]>> {
  const rows = new Map<ProductId, Product>();
  for (let page = 1, begun = null; ; page++) {
    const reply = await readPage(page);
    if (reply.kind !== 'read') return reply;
    begun ??= reply.readAt;
    const before = rows.size;
    for (const product of reply.value.products) rows.set(product.id, product);
    const isBound = page === MOST_PAGES || rows.size >= MOST_ROWS;
    if (!reply.value.isFull || rows.size === before || isBound) {
      if (isBound)
        log.warn('the catalog does not end: the rest is left out', { pages: page, rows: rows.size });
      return { kind: 'read', value: [...rows.values()], readAt: begun };
    }
  }
}
