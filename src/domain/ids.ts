import type { Brand } from './brand.ts';
import { isInt32 } from './int.ts';

/** The provider's number of an order, an int32. It is the graph's `Order.id` too, written as text. */
export type OrderId = Brand<number, 'OrderId'>;
/** A tier slot of the catalog. Stable: it may go and come back, and is never pointed at another tier. */
export type ProductId = Brand<number, 'ProductId'>;
/** What a create orders by: one country and platform; several tiers share it. */
export type CatalogProductId = Brand<number, 'CatalogProductId'>;
export type CountryId = Brand<number, 'CountryId'>;
export type PlatformId = Brand<number, 'PlatformId'>;
export type OperatorId = Brand<number, 'OperatorId'>;
/** Who a gateway key speaks for: the caller_scope of the create contract. */
export type CallerName = Brand<string, 'CallerName'>;
/** The caller's own durable job: one job, one order request. */
export type BusinessJobId = Brand<string, 'BusinessJobId'>;
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>;
export type AttemptId = Brand<string, 'AttemptId'>;
export type KeyId = Brand<string, 'KeyId'>;
/** The supplier API's name of an order; opaque text. */
export type SupplierOrderId = Brand<string, 'SupplierOrderId'>;
export type DeliveryId = Brand<string, 'DeliveryId'>;

/** Null for anything that is no int32. */
export function parseOrderId(value: unknown): OrderId | null {
  return isInt32(value) ? (value as OrderId) : null;
}

/** From the graph's ID. Null for anything but the plain decimal form, so that `007`, `1e3` and ` 7` name nothing. */
export function parseOrderIdText(text: string): OrderId | null {
  if (!/^(0|-?[1-9][0-9]{0,9})$/.test(text)) return null;
  return parseOrderId(Number(text));
}

export function parseProductId(value: unknown): ProductId | null {
  return isInt32(value) ? (value as ProductId) : null;
}

export function parseCatalogProductId(value: unknown): CatalogProductId | null {
  return isInt32(value) ? (value as CatalogProductId) : null;
}

export function parseCountryId(value: unknown): CountryId | null {
  return isInt32(value) ? (value as CountryId) : null;
}

export function parsePlatformId(value: unknown): PlatformId | null {
  return isInt32(value) ? (value as PlatformId) : null;
}

export function parseOperatorId(value: unknown): OperatorId | null {
  return isInt32(value) ? (value as OperatorId) : null;
}

/** 1 to 64 letters, digits and `_ . -`, beginning with a letter or digit: it stands in logs and on command lines. */
export function parseCallerName(value: string): CallerName | null {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(value) ? (value as CallerName) : null;
}

/** 1 to 200 characters, none of them a control character or half of a surrogate pair; not blank. */
export function parseBusinessJobId(value: string): BusinessJobId | null {
  if (value.trim() === '' || [...value].length > 200) return null;
  return isPlainText(value) ? (value as BusinessJobId) : null;
}

/** 1 to 128 of A-Z a-z 0-9 _ -: the provider's pattern, refused here before anything is stored. */
export function parseIdempotencyKey(value: string): IdempotencyKey | null {
  return /^[A-Za-z0-9_-]{1,128}$/.test(value) ? (value as IdempotencyKey) : null;
}

export function parseAttemptId(value: string): AttemptId | null {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value) ? (value as AttemptId) : null;
}

export function parseKeyId(value: string): KeyId | null {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value) ? (value as KeyId) : null;
}

/**
 * 1 to 128 visible ASCII characters: it becomes one segment of a path, and stands in logs. The segments `.` and `..`
 * would name another path, however they are encoded.
 */
export function parseSupplierOrderId(value: unknown): SupplierOrderId | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (text === '.' || text === '..') return null;
  return typeof text === 'string' && /^[\x21-\x7e]{1,128}$/.test(text) ? (text as SupplierOrderId) : null;
}

export function parseDeliveryId(value: string): DeliveryId | null {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value) ? (value as DeliveryId) : null;
}

/** PostgreSQL refuses NUL, headers refuse line breaks, and half a surrogate pair cannot be written as UTF-8. */
function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
