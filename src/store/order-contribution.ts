import type { CatalogProductId, CountryId, PlatformId } from '../domain/ids.ts';
import type { Attempt } from '../domain/orders/attempt.ts';
import type { Order } from '../domain/orders/order.ts';
import { binOf } from '../domain/orders/statistics.ts';
import { NO_REVISION } from '../domain/sms/accept.ts';
import { HOUR, type Instant } from '../domain/time.ts';
import { isShown } from './order-effects.ts';

/** Stands for "not known" in a key of counts: null is equal to nothing, and would make a new row each time. */
export const NOT_KNOWN = -1;

/** What counts are kept by. */
export interface CountKey {
  readonly hour: number;
  readonly owner: string;
  readonly platformId: number;
  readonly countryId: number;
  readonly operatorId: number;
  readonly productId: number;
}

export interface Counts {
  readonly orders: number;
  readonly received: number;
  readonly expired: number;
  readonly canceled: number;
  readonly failed: number;
}

/** What one order adds to the statistics. They are the sum of what each order adds now: a change takes the old away. */
export interface Contribution {
  readonly key: CountKey;
  readonly counts: Counts;
  /** The time to its first message; null before one. */
  readonly firstSms: { readonly bin: number; readonly milliseconds: number } | null;
}

export interface Place {
  readonly platformId: PlatformId | null;
  readonly countryId: CountryId | null;
}

/** Null of an order that is not shown yet. By evidence, not by status: after a resend an order is ACTIVE again. */
export function contributionOf(order: Order | null, place: Place): Contribution | null {
  if (order === null || !isShown(order)) return null;
  const received = order.smsRevision !== NO_REVISION;
  const milliseconds =
    received && order.otpReceivedAt !== null ? order.otpReceivedAt - order.createdAt : null;
  return {
    key: keyOf(order.createdAt, order.owner ?? '', place, order.operatorId, order.catalogProductId),
    counts: {
      orders: 1,
      received: received ? 1 : 0,
      expired: !received && order.status === 'EXPIRED' ? 1 : 0,
      canceled: !received && order.status === 'CANCELED' ? 1 : 0,
      failed: 0,
    },
    firstSms:
      milliseconds === null
        ? null
        : { bin: binOf(Math.max(0, milliseconds) / 1000), milliseconds: Math.max(0, milliseconds) },
  };
}

/** What an attempt adds: the orders that were asked for and not made. Null of one that lost none. */
export function failureOf(attempt: Attempt, place: Place): Contribution | null {
  const failed = attempt.state === 'DEFINITIVE_REJECTION' ? attempt.quantity : attempt.failedCount;
  if (failed === 0) return null;
  const operatorId = attempt.request.kind === 'CREATE' ? (attempt.request.routing?.operatorId ?? null) : null;
  return {
    key: keyOf(attempt.startedAt, attempt.caller, place, operatorId, attempt.catalogProductId),
    counts: { orders: 0, received: 0, expired: 0, canceled: 0, failed },
    firstSms: null,
  };
}

/** Asked of every change of an order, most of which count for nothing: without the texts that comparing in JSON would make. */
export function isSameContribution(a: Contribution | null, b: Contribution | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    isSameIn(a.key, b.key, keyFields) &&
    isSameIn(a.counts, b.counts, countFields) &&
    a.firstSms?.bin === b.firstSms?.bin &&
    a.firstSms?.milliseconds === b.firstSms?.milliseconds
  );
}

const keyFields = [
  'hour',
  'owner',
  'platformId',
  'countryId',
  'operatorId',
  'productId',
] as const satisfies readonly (keyof CountKey)[];
const countFields = [
  'orders',
  'received',
  'expired',
  'canceled',
  'failed',
] as const satisfies readonly (keyof Counts)[];

function isSameIn<Fields>(a: Fields, b: Fields, fields: readonly (keyof Fields)[]): boolean {
  return fields.every((field) => a[field] === b[field]);
}

export function hourOf(at: Instant): number {
  return Math.floor(at / HOUR);
}

function keyOf(
  at: Instant,
  owner: string,
  place: Place,
  operatorId: number | null,
  productId: CatalogProductId | null,
): CountKey {
  return {
    hour: hourOf(at),
    owner,
    platformId: place.platformId ?? NOT_KNOWN,
    countryId: place.countryId ?? NOT_KNOWN,
    operatorId: operatorId ?? NOT_KNOWN,
    productId: productId ?? NOT_KNOWN,
  };
}
