import type { CallerActor } from '../../src/domain/audit.ts';
import type { Product } from '../../src/domain/catalog/product.ts';
import {
  type AttemptId,
  type BusinessJobId,
  type CallerName,
  type CatalogProductId,
  type CountryId,
  type IdempotencyKey,
  type OperatorId,
  type OrderId,
  type PlatformId,
  type ProductId,
  parseAttemptId,
  parseBusinessJobId,
  parseCallerName,
  parseCatalogProductId,
  parseCountryId,
  parseIdempotencyKey,
  parseOperatorId,
  parseOrderId,
  parsePlatformId,
  parseProductId,
  parseSupplierOrderId,
  type SupplierOrderId,
} from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { Attempt } from '../../src/domain/orders/attempt.ts';
import { nothingAllowed, type Order, type OrderSnapshot } from '../../src/domain/orders/order.ts';
import type { SmsEvidence } from '../../src/domain/sms/accept.ts';
import { HOUR, type Instant, instant, later, parseInstant } from '../../src/domain/time.ts';

/** The value, which the test is sure is there. */
export function must<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('the test expected a value');
  return value;
}

export const at = (text: string): Instant => must(parseInstant(text));
/** The time at which fake clocks start. */
export const start: Instant = at('2026-09-02T06:40:00Z');
/** Milliseconds after the start. */
export const moment = (milliseconds: number): Instant => instant(start + milliseconds);

export const orderId = (id: number): OrderId => must(parseOrderId(id));
export const productId = (id: number): ProductId => must(parseProductId(id));
export const catalogProductId = (id: number): CatalogProductId => must(parseCatalogProductId(id));
export const countryId = (id: number): CountryId => must(parseCountryId(id));
export const platformId = (id: number): PlatformId => must(parsePlatformId(id));
export const operatorId = (id: number): OperatorId => must(parseOperatorId(id));
export const caller = (name: string): CallerName => must(parseCallerName(name));
export const job = (name: string): BusinessJobId => must(parseBusinessJobId(name));
export const key = (text: string): IdempotencyKey => must(parseIdempotencyKey(text));
export const attemptId = (text: string): AttemptId => must(parseAttemptId(text));
export const supplierOrderId = (text: string): SupplierOrderId => must(parseSupplierOrderId(text));

export const alice = caller('alice');
export const bob = caller('bob');
export const byAlice: CallerActor = { kind: 'caller', caller: alice, keyId: null, requestId: 'request-1' };

/** Sent once, at the start, for one order. */
export function anAttempt(change: Partial<Attempt> = {}): Attempt {
  return {
    id: attemptId('attempt-1'),
    caller: alice,
    businessJobId: job('job-1'),
    request: {
      kind: 'CREATE',
      catalogProductId: catalogProductId(88),
      quantity: 1,
      maxUnitPrice: null,
      routing: null,
    },
    endpoint: '/orders/create',
    body: '{"catalog_product_id":88,"quantity":1}',
    fingerprint: 'f',
    idempotencyKey: key('key-1'),
    catalogProductId: catalogProductId(88),
    quantity: 1,
    state: 'SENDING',
    reason: null,
    rejection: null,
    failedCount: 0,
    sends: 1,
    version: 2,
    startedAt: start,
    reviewThresholdAt: later(start, HOUR),
    replayDeadlineAt: later(start, HOUR),
    nextAttemptAt: null,
    leaseUntil: null,
    reserved: rupiah(5_000),
    ...change,
  };
}

/** Alice's, fresh, with its number. */
export function anOrder(change: Partial<Order> = {}): Order {
  return {
    id: orderId(7),
    owner: alice,
    attemptId: attemptId('attempt-1'),
    reactivatedFromId: null,
    status: 'ACTIVE',
    phoneNumber: '+62811000007',
    amount: rupiah(5_000),
    productId: productId(70),
    catalogProductId: catalogProductId(88),
    operatorId: null,
    operatorName: null,
    otpCode: null,
    otpMessage: null,
    smsRevision: -1,
    otpReceivedAt: null,
    expiresAt: moment(1_200_000),
    failedReason: null,
    canceledAt: null,
    capabilities: nothingAllowed,
    createdAt: start,
    asOf: start,
    version: 1,
    ...change,
  };
}

/** No more than what must be there. */
export function aSnapshot(change: Partial<OrderSnapshot> = {}): OrderSnapshot {
  return { id: orderId(7), status: 'ACTIVE', capabilities: {}, evidence: null, ...change };
}

export function evidence(revision: number, message = `message ${revision}`): SmsEvidence {
  return { revision, message, otpCode: null };
}

/** Orderable, of country 6 and platform 1. */
export function aProduct(change: Partial<Product> = {}): Product {
  return {
    id: productId(70),
    catalogProductId: catalogProductId(88),
    name: 'Telegram - Indonesia',
    countryId: countryId(6),
    platformId: platformId(1),
    operatorId: null,
    operatorName: null,
    available: 10,
    price: rupiah(5_000),
    active: true,
    asOf: start,
    ...change,
  };
}
