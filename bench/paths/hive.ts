import { FIRST_CREATED_ORDER, productPage, upstreamOrder } from '../harness/data.ts';

/**
 * What Hive Gateway is asked. Its graph is the upstream's OpenAPI description (stub/openapi.json), so the same fields have
 * other names: aliases make them ours.
 */
export const HIVE = 'Hive Gateway';

export interface Questions {
  readonly body: (sequence: number) => string;
  /** The whole answer to the first of them. */
  readonly answer: string;
}

const PAGE = `query Page($page: Int) {
  catalogProducts: listProducts(page: $page, limit: 50) {
    nodes: data {
      id catalogProductId: catalog_product_id name countryId: country_id platformId: platform_id price available active
    }
    meta { count }
  }
}`;
const ORDER = `query One($id: Int!) {
  order(id: $id) {
    data {
      id status amount productId: product_id catalogProductId: catalog_product_id operatorId: operator_id
      expiresAt: expires_at createdAt: created_at
    }
  }
}`;
const CREATE = `mutation Create($key: String, $input: CreateRequest_Input) {
  createOrder(idempotency_key: $key, input: $input) { data { orders { id } } }
}`;
const PAGE_SIZE = 50;

/** Page after page of all tiers, by number, and anew after the last: the upstream filters by one country, and by no price. */
export function hivePages(size: number): Questions {
  const { data, meta } = JSON.parse(productPage(size, 1, PAGE_SIZE));
  const nodes = [];
  for (const row of data) {
    const { id, catalog_product_id, name, country_id, platform_id, price, available, active } = row;
    nodes.push({
      id,
      catalogProductId: catalog_product_id,
      name,
      countryId: country_id,
      platformId: platform_id,
      price,
      available,
      active,
    });
  }
  return {
    body: (sequence) =>
      JSON.stringify({ query: PAGE, variables: { page: 1 + (sequence % Math.ceil(size / PAGE_SIZE)) } }),
    answer: JSON.stringify({ data: { catalogProducts: { nodes, meta: { count: meta.count } } } }),
  };
}

export function hiveOrders(count: number): Questions {
  const id = FIRST_CREATED_ORDER + 1;
  const { status, amount, product_id, catalog_product_id, operator_id } = upstreamOrder(id, 1);
  const order = {
    id,
    status,
    amount,
    productId: product_id,
    catalogProductId: catalog_product_id,
    operatorId: operator_id,
    expiresAt: '2030-01-01T00:20:00.000Z',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  return {
    body: (sequence) => JSON.stringify({ query: ORDER, variables: { id: id + (sequence % count) } }),
    answer: JSON.stringify({ data: { order: { data: order } } }),
  };
}

export function hiveCreate(job: string): string {
  const input = { catalog_product_id: 1, quantity: 1 };
  return JSON.stringify({ query: CREATE, variables: { key: job, input } });
}
