import { z } from 'zod';
import { parseJson } from '../kernel/reply.ts';
import { invalid, type Refused, refused } from './answer.ts';
import { TIER_SORTS, type TierSort } from './catalog/query.ts';

/** What a request says, or its refusal. */
export type Read<T> = { readonly kind: 'ok'; readonly value: T } | Refused;

const MOST_INT32 = 2 ** 31 - 1;
const MOST_INT64 = 2n ** 63n - 1n;

const int32 = z
  .int()
  .min(-MOST_INT32 - 1)
  .max(MOST_INT32);
/** int64 on the wire; what is beyond a safe integer here is refused rather than rounded. */
const rupiah = z.int();

const routing = {
  max_price: rupiah.nullish(),
  min_price: rupiah.nullish(),
  operator_id: int32.nullish(),
  policy: z.enum(['cheapest', 'best_success']).optional(),
  prefer_provider: z.string().nullish(),
};

const createSchema = z.strictObject({
  catalog_product_id: int32.nullish(),
  product_id: int32.nullish(),
  quantity: z.int().min(1).max(100).default(1),
  ...routing,
});

export type CreateRequest =
  | { readonly kind: 'tier'; readonly productId: number; readonly quantity: number }
  | {
      readonly kind: 'routed';
      readonly catalogProductId: number;
      readonly quantity: number;
      readonly maxPrice: number | null;
      readonly minPrice: number | null;
      readonly operatorId: number | null;
      readonly policy: 'cheapest' | 'best_success';
      readonly preferProvider: string | null;
    };

export function readCreate(body: unknown): Read<CreateRequest> {
  const read = readBody(createSchema, body);
  if (read.kind === 'refused') return read;
  const {
    catalog_product_id,
    product_id,
    quantity,
    max_price,
    min_price,
    operator_id,
    policy,
    prefer_provider,
  } = read.value;
  if ((catalog_product_id ?? null) !== null && (product_id ?? null) !== null) {
    return invalid('product_id', 'cannot stand beside catalog_product_id');
  }
  if (typeof catalog_product_id === 'number') {
    return ok({
      kind: 'routed',
      catalogProductId: catalog_product_id,
      quantity,
      maxPrice: max_price ?? null,
      minPrice: min_price ?? null,
      operatorId: operator_id ?? null,
      policy: policy ?? 'cheapest',
      preferProvider: prefer_provider?.toLowerCase() ?? null,
    });
  }
  if (typeof product_id !== 'number') return invalid('catalog_product_id', 'or product_id is needed');
  const beside = Object.keys(routing).find((name) => (asRecord(read.value)[name] ?? null) !== null);
  if (beside !== undefined) return invalid(beside, 'goes with catalog_product_id alone');
  return ok({ kind: 'tier', productId: product_id, quantity });
}

const reactivateSchema = z.strictObject({ id: int32, max_price: rupiah.nullish() });

export type ReactivateRequest = { readonly id: number; readonly maxPrice: number | null };

export function readReactivate(body: unknown): Read<ReactivateRequest> {
  const read = readBody(reactivateSchema, body);
  return read.kind === 'refused' ? read : ok({ id: read.value.id, maxPrice: read.value.max_price ?? null });
}

const orderSchema = z.strictObject({ id: int32 });

/** The body of cancel, finish and resend. */
export function readOrderId(body: unknown): Read<number> {
  const read = readBody(orderSchema, body);
  return read.kind === 'refused' ? read : ok(read.value.id);
}

/** An object, before its fields are judged. */
export function readObject(bytes: Uint8Array): Read<object> {
  const value = parseJson(bytes);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok(value)
    : refused('VALIDATION_ERROR', 'The body is no JSON object');
}

const KEY = /^[A-Za-z0-9_-]{1,128}$/;

export function readKey(header: string | undefined): Read<string | null> {
  if (header === undefined) return ok(null);
  return KEY.test(header) ? ok(header) : invalid('idempotency-key', 'must be 1 to 128 of A-Z a-z 0-9 _ -');
}

/** null: no such id can exist. */
export function readPathId(text: string): number | null {
  const id = Number(text);
  return /^\d{1,10}$/.test(text) && id <= MOST_INT32 ? id : null;
}

export function queryInt32(query: URLSearchParams, name: string): Read<number | null> {
  const read = queryInteger(query, name);
  if (read.kind === 'refused' || read.value === null) return read;
  return int32.safeParse(read.value).success ? read : invalid(name, 'must be an int32');
}

/** An int64 within `from` to `to`: what lies outside is clamped, never an error. */
export function queryClamped(
  query: URLSearchParams,
  name: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): Read<number> {
  const read = queryInteger(query, name);
  if (read.kind === 'refused') return read;
  return ok(read.value === null ? otherwise : Math.min(to, Math.max(from, read.value)));
}

export function querySort(query: URLSearchParams): TierSort {
  const asked = query.get('sort');
  return TIER_SORTS.find((sort) => sort === asked) ?? 'price_asc';
}

function queryInteger(query: URLSearchParams, name: string): Read<number | null> {
  const text = query.get(name);
  if (text === null) return ok(null);
  if (!/^[+-]?\d{1,40}$/.test(text)) return invalid(name, 'must be an integer');
  const exact = BigInt(text.replace('+', ''));
  if (exact > MOST_INT64 || exact < -MOST_INT64 - 1n) return invalid(name, 'must be an int64');
  return ok(Number(exact));
}

function readBody<T>(schema: z.ZodType<T>, body: unknown): Read<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') return invalid(issue.keys.join(', '), 'is not known here');
  return invalid(issue?.path.join('.') ?? 'body', 'is missing or out of range');
}

function asRecord(value: object): Record<string, unknown> {
  return { ...value };
}

function ok<T>(value: T): { readonly kind: 'ok'; readonly value: T } {
  return { kind: 'ok', value };
}
