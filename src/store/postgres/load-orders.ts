import {
  type AttemptId,
  type CatalogProductId,
  type OrderId,
  type ProductId,
  parseOrderId,
} from '../../domain/ids.ts';
import type { OrderSnapshot } from '../../domain/orders/order.ts';
import { rowReader } from '../bad-row.ts';
import type { Place } from '../order-contribution.ts';
import type { LoadedOrders } from '../order-sheet.ts';
import { lineFrom } from '../rows/book-line.ts';
import { orderFrom } from '../rows/order.ts';
import { placeFrom } from '../rows/product.ts';
import { select } from './statements.ts';
import { budgetEntries, orders, seenProducts, smsRevisions } from './tables.ts';
import type { Transaction } from './transaction.ts';
import { orderFacts } from './watch-tables.ts';

// Rising ids, here and everywhere: two that lock some orders never wait for each other in a circle. And no stronger than an
// update takes them, or a foreign key's check would wait.
const lockOrders = select(orders, 'where id = any($1::bigint[]) order by id for no key update');
const findFacts = select(orderFacts, 'where order_id = any($1::bigint[])');
const findLines = select(
  budgetEntries,
  'where order_id = any($1::bigint[]) and order_id is not null order by id',
);
const findHidden = select(
  smsRevisions,
  `join orders on orders.id = sms_revisions.order_id
   where orders.id = any($1::bigint[]) and (orders.amount is null or orders.owner is null)
   order by sms_revisions.order_id, sms_revisions.revision`,
);
const findProducts = select(
  seenProducts,
  'where id = any($1::bigint[]) or catalog_product_id = any($2::bigint[]) order by id',
);

const findProductOf = select(
  seenProducts,
  `join attempts on attempts.catalog_product_id = seen_products.catalog_product_id where attempts.id = $1
   order by seen_products.id limit 1`,
);

const nowhere: Place = { platformId: null, countryId: null };

/** Locks orders and reads all that a merge of the snapshots into them may need, in one round trip. */
export async function lockedOrders(
  tx: Transaction,
  ids: readonly OrderId[],
  snapshots: readonly OrderSnapshot[],
): Promise<LoadedOrders> {
  if (ids.length === 0) return loadedOrders([], [], [], [], []);
  const products = known(snapshots.map(({ productId }) => productId));
  const catalog = known(snapshots.map(({ catalogProductId }) => catalogProductId));
  return loadedOrders(
    ...(await Promise.all([
      tx.rows(lockOrders, [ids]),
      tx.rows(findFacts, [ids]),
      tx.rows(findLines, [ids]),
      tx.rows(findHidden, [ids]),
      products.length + catalog.length === 0 ? [] : tx.rows(findProducts, [products, catalog]),
    ])),
  );
}

/** Where what an attempt asks for belongs, as far as the catalog ever told. */
export async function placeOfAttempt(tx: Transaction, id: AttemptId): Promise<Place> {
  const [first] = await tx.rows(findProductOf, [id]);
  return first === undefined ? nowhere : placeFrom(first);
}

type OrderRow = typeof orders.$inferSelect;
type FactsRow = typeof orderFacts.$inferSelect;
type LineRow = typeof budgetEntries.$inferSelect;
type SmsRow = typeof smsRevisions.$inferSelect;
type ProductRow = typeof seenProducts.$inferSelect;

function loadedOrders(
  rows: readonly OrderRow[],
  factsRows: readonly FactsRow[],
  lineRows: readonly LineRow[],
  hidden: readonly SmsRow[],
  products: readonly ProductRow[],
): LoadedOrders {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const factsById = new Map(factsRows.map((row) => [row.orderId, row]));
  const productById = new Map(products.map((row) => [row.id, row]));
  return {
    order(id) {
      const row = byId.get(id);
      return row === undefined ? null : orderFrom(row);
    },
    facts(id) {
      const row = factsById.get(id);
      if (row === undefined) return null;
      const place = placeFrom({ ...row, id });
      return {
        ...place,
        endedAt: rowReader('order_facts', id).maybeInstant(row.endedAt),
        erased: row.erased,
      };
    },
    placeOf({ productId, catalogProductId }) {
      const row =
        (productId === null ? undefined : productById.get(productId)) ??
        (catalogProductId === null
          ? undefined
          : products.find((product) => product.catalogProductId === catalogProductId));
      return row === undefined ? nowhere : placeFrom(row);
    },
    messages: (id) => hidden.filter(({ orderId }) => orderId === id),
    lines: (id) => lineRows.filter(({ orderId }) => orderId === id).map(lineFrom),
  };
}

function known<Id extends ProductId | CatalogProductId>(ids: readonly (Id | null | undefined)[]): Id[] {
  return [...new Set(ids.flatMap((id) => id ?? []))];
}

/** @throws BadRow where it is none. */
export function orderIdOf(table: string, raw: number): OrderId {
  return rowReader(table, raw).sure(parseOrderId(raw));
}
