import { z } from 'zod';
import { type Parsed, parseAs, parseJson } from '../kernel/reply.ts';
import type { Delivery, OrderFilter } from './book.ts';
import { orderStatuses, paymentStatuses, productTypes } from './order.ts';

const limitBounds = z.int().min(1).max(500);
const defaultLimit = 100;

const instantText = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

function commaList<const T extends readonly string[]>(allowed: T) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(allowed)));
}

const filter = z
  .object({
    status: commaList(orderStatuses).optional(),
    paymentStatus: commaList(paymentStatuses).default(['completed', 'partial']),
    productType: commaList(productTypes).optional(),
    entityType: z.string().optional(),
    subCategory: z.string().optional(),
    createdFrom: instantText.optional(),
    createdTo: instantText.optional(),
    limit: digits.pipe(limitBounds).default(defaultLimit),
    offset: digits.default(0),
  })
  .transform(
    (query): OrderFilter => ({
      statuses: query.status ?? null,
      paymentStatuses: query.paymentStatus,
      productTypes: query.productType ?? null,
      entityType: query.entityType ?? null,
      subCategory: query.subCategory ?? null,
      createdFrom: query.createdFrom ?? null,
      createdTo: query.createdTo ?? null,
      limit: query.limit,
      offset: query.offset,
    }),
  );

/** GET /orders. Parameters that are not known are passed over; an empty one counts as left out. */
export function parseFilter(query: URLSearchParams): Parsed<OrderFilter> {
  return parseAs(filter, Object.fromEntries([...query].filter(([, value]) => value !== '')));
}

const pull = z.object({ limit: limitBounds.default(defaultLimit) }).transform((body) => body.limit);

/** POST /orders-pull: how many at most. */
export function parsePull(body: Uint8Array): Parsed<number> {
  return parseBody(pull, body);
}

const lease = z.union([
  z.strictObject({}).transform(() => 'now' as const),
  z.object({ lastProcessTime: instantText.nullable() }).transform((body) => body.lastProcessTime),
]);

/**
 * PATCH last-process-time: an instant, null to let go, `now` where nothing was sent. Strict where the provider may
 * not be: a field of another name, taken for "now", would turn a release into a lease.
 */
export function parseLease(body: Uint8Array): Parsed<number | null | 'now'> {
  const parsed = parseBody(lease, body);
  return parsed.kind === 'ok'
    ? parsed
    : { kind: 'wrong', message: 'lastProcessTime: an ISO time with its offset, or null' };
}

const deliveryFields = z.object({
  status: z.enum(['completed', 'partial']),
  /** Judged by the line rules: an empty or malformed list is INVALID_ACCOUNTS there. */
  accounts: z.unknown(),
  external_id: z.string().optional(),
  supplierOrderId: z.string().optional(),
  external_price: z.union([z.string(), z.number()]).nullish(),
});

function toDelivery(order: string, body: z.output<typeof deliveryFields>): Delivery {
  return {
    order,
    status: body.status,
    accounts: body.accounts,
    externalId: body.external_id ?? body.supplierOrderId ?? null,
    externalPrice: body.external_price === '' ? null : (body.external_price ?? null),
  };
}

const namedDelivery = deliveryFields
  .extend({ order: z.string().min(1) })
  .transform((body) => toDelivery(body.order, body));

/** POST /orders-update. */
export function parseDelivery(body: Uint8Array): Parsed<Delivery> {
  return parseBody(namedDelivery, body);
}

/** POST /orders/{id}/accounts-bulk: the same body, its order in the path. */
export function parseBulkDelivery(order: string, body: Uint8Array): Parsed<Delivery> {
  return parseBody(
    deliveryFields.transform((fields) => toDelivery(order, fields)),
    body,
  );
}

/** No body at all is an object without fields. */
function parseBody<T>(schema: z.ZodType<T>, body: Uint8Array): Parsed<T> {
  const value = body.length === 0 ? {} : parseJson(body);
  return value === undefined
    ? { kind: 'wrong', message: 'the body is not JSON in UTF-8' }
    : parseAs(schema, value);
}
