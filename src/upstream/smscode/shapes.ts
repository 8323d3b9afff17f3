import * as z from 'zod';
import {
  parseCatalogProductId,
  parseCountryId,
  parseOperatorId,
  parseOrderId,
  parsePlatformId,
  parseProductId,
} from '../../domain/ids.ts';
import { isInt32, isSafeInt } from '../../domain/int.ts';
import { parseRupiah, type Rupiah } from '../../domain/money.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { isJsonObject, type JsonObject } from '../json.ts';

/** The values that answers are made of (smscode-v1-reference.md, section 1). */
export const int32 = z.custom<number>(isInt32);
export const safeInt = z.custom<number>(isSafeInt);
export const rupiah = ofParser(parseRupiah);
export const rupiahFromZero = z.custom<Rupiah>((value) => (parseRupiah(value) ?? -1) >= 0);
export const orderId = ofParser(parseOrderId);
export const productId = ofParser(parseProductId);
export const catalogProductId = ofParser(parseCatalogProductId);
export const countryId = ofParser(parseCountryId);
export const platformId = ofParser(parsePlatformId);
export const operatorId = ofParser(parseOperatorId);
export const orderStatus = z.enum(orderStatuses);
/** Not z.object: that takes an InexactNumber for an object without keys. */
export const jsonObject = z.custom<JsonObject>(isJsonObject);

/** The branded values that a domain parser lets through, unchanged. */
function ofParser<Value>(parse: (value: unknown) => Value | null) {
  return z.custom<Value>((value) => parse(value) !== null);
}
