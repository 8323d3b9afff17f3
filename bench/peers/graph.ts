import Database from 'better-sqlite3';
import { buildCatalog, type Catalog, nameOf } from '../../src/domain/catalog/catalog.ts';
import type { Product } from '../../src/domain/catalog/product.ts';
import { countRows, productAt, selectPage } from '../../src/domain/catalog/select.ts';
import { instant } from '../../src/domain/time.ts';

/**
 * The part of the graph that is raced, for the peers: the same fields over the same data. They are given Switchboard's own
 * catalog columns and a prepared statement, so that what differs is the server alone; they check no key and no limit.
 */
export const typeDefs = /* GraphQL */ `
  scalar Rupiah
  scalar DateTime
  type CatalogProduct {
    id: ID! catalogProductId: Int name: String! countryId: Int! platformId: Int! price: Rupiah! available: Int! active: Boolean!
  }
  type PageInfo { hasNextPage: Boolean! }
  type CatalogProductConnection { nodes: [CatalogProduct!]! pageInfo: PageInfo! totalCount: Int! }
  input CatalogFilter { countryIds: [Int!] platformIds: [Int!] operatorIds: [Int!] search: String orderable: Boolean maxPrice: Rupiah }
  type Order {
    id: ID! status: String! amount: Rupiah! productId: Int! catalogProductId: Int operatorId: Int expiresAt: DateTime createdAt: DateTime! version: Int!
  }
  type Query {
    catalogProducts(filter: CatalogFilter, first: Int = 50): CatalogProductConnection!
    order(id: ID!): Order
  }
`;

const catalog = await readCatalog();
const database = new Database(process.env['DATABASE'] ?? ':memory:', {
  readonly: process.env['DATABASE'] !== undefined,
});
const findOrder =
  process.env['DATABASE'] === undefined ? null : database.prepare('select * from orders where id = ?');

type Filter = { countryIds?: number[] | null; platformIds?: number[] | null; maxPrice?: number | null };
type Row = Readonly<Record<string, unknown>>;

const time = (value: unknown): string | null =>
  typeof value === 'number' ? new Date(value).toISOString() : null;

/** What `catalogProducts` comes to, as plain values. */
export function pageOf({ filter, first = 50 }: { filter?: Filter; first?: number }) {
  // biome-ignore lint/suspicious/noExplicitAny: the ids are branded in the product, and plain here.
  const asked: any = {
    operatorIds: null,
    search: null,
    orderable: null,
    countryIds: null,
    platformIds: null,
    maxPrice: null,
    ...filter,
  };
  const page = selectPage(catalog, asked, { field: 'PRICE', descending: false }, { first, after: null });
  return {
    nodes: page.rows.map((row) => productAt(catalog, row)),
    pageInfo: { hasNextPage: page.hasNext },
    totalCount: () => countRows(catalog, asked),
  };
}

export function nodeOf(product: Product) {
  const { id, catalogProductId, countryId, platformId, price, available, active } = product;
  return {
    id: String(id),
    catalogProductId,
    name: nameOf(product, catalog.countries, catalog.platforms),
    countryId,
    platformId,
    price,
    available,
    active,
  };
}

export const resolvers = {
  Query: {
    catalogProducts: (_root: unknown, args: { filter?: Filter; first?: number }) => pageOf(args),
    order: (_root: unknown, { id }: { id: string }) => findOrder?.get(Number(id)) ?? null,
  },
  CatalogProduct: {
    name: (product: Product) => nameOf(product, catalog.countries, catalog.platforms),
  },
  Order: {
    productId: (row: Row) => row['product_id'],
    catalogProductId: (row: Row) => row['catalog_product_id'],
    operatorId: (row: Row) => row['operator_id'],
    expiresAt: (row: Row) => time(row['expires_at']),
    createdAt: (row: Row) => time(row['created_at']),
  },
};

async function readCatalog(): Promise<Catalog> {
  const base = process.env['UPSTREAM'] ?? '';
  const read = async (path: string) => JSON.parse(await (await fetch(`${base}${path}`)).text()).data;
  const limit = 10_000;
  const products: Product[] = [];
  for (let page = 1; ; page++) {
    const rows = await read(`/catalog/products?page=${page}&limit=${limit}`);
    for (const row of rows) {
      products.push({
        id: row.id,
        catalogProductId: row.catalog_product_id,
        name: row.name,
        countryId: row.country_id,
        platformId: row.platform_id,
        operatorId: null,
        operatorName: null,
        available: row.available,
        price: row.price,
        active: row.active,
        asOf: instant(0),
      });
    }
    if (rows.length < limit) break;
  }
  return buildCatalog(
    products,
    await read('/catalog/countries'),
    await read('/catalog/services'),
    instant(0),
  );
}
