import * as z from 'zod';
import type { Country, ExchangeRate, Operator, Platform, Product } from '../../domain/catalog/product.ts';
import type { OperatorId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';
import type { Success } from './envelope.ts';
import {
  catalogProductId,
  countryId,
  int32,
  operatorId,
  platformId,
  productId,
  rupiah,
  safeInt,
} from './shapes.ts';

// smscode-v1-reference.md, section 5. A key more is passed over; one that is missing or of a wrong type spoils the whole
// answer: a catalog with holes would say "sold out" of what is for sale.

const countries = z.array(
  z.object({
    id: countryId,
    code: z.string().nullish(),
    name: z.string(),
    dial_code: z.string().nullish(),
    emoji: z.string().nullish(),
    active: z.boolean(),
  }),
);

const services = z.array(
  z.object({ id: platformId, code: z.string(), name: z.string(), active: z.boolean() }),
);

const operators = z.array(
  z.object({
    operator_id: operatorId.nullable(),
    code: z.string(),
    name: z.string().nullish(),
    local_name: z.string().nullish(),
  }),
);

const products = z.array(
  z.object({
    id: productId,
    name: z.string().nullish(),
    country_id: countryId.nullish(),
    platform_id: platformId.nullish(),
    available: int32,
    price: rupiah,
    active: z.boolean(),
    catalog_product_id: catalogProductId.nullish(),
    operator_id: operatorId.nullish(),
    operator_name: z.string().nullish(),
  }),
);

const pageMeta = z.object({ page: safeInt, limit: safeInt, count: safeInt });

const exchangeRate = z.object({
  pair: z.string(),
  base_currency: z.string(),
  quote_currency: z.string(),
  rate: rupiah,
});

export function readCountries({ data }: Success): readonly Country[] | null {
  const rows = countries.safeParse(data).data;
  if (rows === undefined) return null;
  return rows.map((row) => ({
    id: row.id,
    // Published in lower case and with no plus sign, shown in the provider's pages the other way.
    code: row.code?.toUpperCase() ?? null,
    name: row.name,
    dialCode: row.dial_code?.replace(/^\+/, '') ?? null,
    emoji: row.emoji ?? null,
    active: row.active,
  }));
}

export function readServices({ data }: Success): readonly Platform[] | null {
  return services.safeParse(data).data ?? null;
}

export function readOperators({ data }: Success): readonly Operator[] | null {
  const rows = operators.safeParse(data).data;
  if (rows === undefined) return null;
  return rows.map((row) => ({
    operatorId: row.operator_id,
    code: row.code,
    name: row.name ?? null,
    localName: row.local_name ?? null,
  }));
}

export interface ProductPage {
  readonly products: readonly Product[];
  /** As long as a page can be: there may be another. */
  readonly isFull: boolean;
}

/** A row may leave its operator out: asked for by operator, it is then that operator's. An explicit null is not. */
export function readProductPage(
  { data, meta }: Success,
  asOf: Instant,
  ofOperator: OperatorId | null,
): ProductPage | null {
  const rows = products.safeParse(data).data;
  const page = pageMeta.safeParse(meta).data;
  if (rows === undefined || page === undefined) return null;
  return {
    products: rows.map((row) => ({
      id: row.id,
      catalogProductId: row.catalog_product_id ?? null,
      name: row.name ?? null,
      countryId: row.country_id ?? null,
      platformId: row.platform_id ?? null,
      operatorId: row.operator_id === undefined ? ofOperator : row.operator_id,
      operatorName: row.operator_name ?? null,
      available: row.available,
      price: row.price,
      active: row.active,
      asOf,
    })),
    // The limit as applied: the provider clamps what was asked for.
    isFull: Math.max(page.count, rows.length) >= page.limit,
  };
}

/** Null as well when it is another pair's rate. */
export function readExchangeRate({ data }: Success, pair: string, asOf: Instant): ExchangeRate | null {
  const told = exchangeRate.safeParse(data).data;
  if (told === undefined || told.pair.toUpperCase() !== pair.toUpperCase()) return null;
  return { pair: told.pair, base: told.base_currency, quote: told.quote_currency, rate: told.rate, asOf };
}
