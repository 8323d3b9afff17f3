import {
  type CatalogProductId,
  type CountryId,
  type IdempotencyKey,
  type OperatorId,
  type OrderId,
  type PlatformId,
  parseCatalogProductId,
  parseCountryId,
  parseIdempotencyKey,
  parseOperatorId,
  parseOrderId,
  parsePlatformId,
} from '../../../src/domain/ids.ts';

function must<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the test names an id that is none');
  return value;
}

export const order = (id: number): OrderId => must(parseOrderId(id));
export const country = (id: number): CountryId => must(parseCountryId(id));
export const platform = (id: number): PlatformId => must(parsePlatformId(id));
export const operator = (id: number): OperatorId => must(parseOperatorId(id));
export const catalogProduct = (id: number): CatalogProductId => must(parseCatalogProductId(id));
export const key = (text: string): IdempotencyKey => must(parseIdempotencyKey(text));
