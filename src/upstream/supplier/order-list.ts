import { parseSupplierOrderId, type SupplierOrderId } from '../../domain/ids.ts';
import { isInt32 } from '../../domain/int.ts';
import {
  type SupplierOrderSnapshot,
  supplierOrderStatuses,
  supplierPaymentStatuses,
  supplierProductTypes,
} from '../../domain/supplier/order.ts';
import { type Instant, parseInstant } from '../../domain/time.ts';
import type { SupplierOrderPage } from '../../ports/supplier-api.ts';
import { InexactNumber, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** A value of a kind that is not in the contract, as it was sent. */
export interface NewKind {
  readonly field: string;
  readonly value: string;
}

export interface OrderList {
  readonly page: SupplierOrderPage;
  /** Elements without an id or a quantity: no order that could be worked on. */
  readonly leftOut: number;
  readonly newKinds: readonly NewKind[];
}

/**
 * The orders of a list call, read tolerantly (supplier-v2.md, head): what is absent or of the wrong type is null, a
 * new kind is UNKNOWN, other fields are passed over. Of two elements with one id the last wins. Null: no `orders` list.
 */
export function readOrderList(body: JsonObject): OrderList | null {
  const elements = body['orders'];
  if (!isJsonArray(elements)) return null;
  const orders = new Map<SupplierOrderId, SupplierOrderSnapshot>();
  const newKinds: NewKind[] = [];
  let leftOut = 0;
  for (const element of elements) {
    const order = readOrder(element, newKinds);
    if (order === null) leftOut++;
    else orders.set(order.id, order);
  }
  return { page: { orders: [...orders.values()], received: elements.length }, leftOut, newKinds };
}

function readOrder(element: JsonValue, newKinds: NewKind[]): SupplierOrderSnapshot | null {
  if (!isJsonObject(element)) return null;
  const id = parseSupplierOrderId(element['id']);
  const quantity = count(element['quantity']);
  // As a segment of a path these two would name another resource, however they are encoded.
  if (id === null || quantity === null) return null;

  const kind = <Kind extends string>(field: string, known: readonly Kind[]): Kind | 'UNKNOWN' | null => {
    const value = text(element[field]);
    if (value === null) return null;
    const found = known.find((one) => one === value.toUpperCase());
    if (found !== undefined) return found;
    newKinds.push({ field, value });
    return 'UNKNOWN';
  };

  return {
    id,
    quantity,
    status: kind('status', supplierOrderStatuses),
    paymentStatus: kind('paymentStatus', supplierPaymentStatuses),
    productType: kind('productType', supplierProductTypes),
    entityType: text(element['entityType']),
    subCategory: text(element['subCategory']),
    deliveredCount: count(element['deliveredCount']),
    lastProcessTime: time(element['lastProcessTime']),
    externalId: text(element['external_id']),
    externalPrice: price(element['external_price']),
    createdAt: time(element['createdAt']),
  };
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function count(value: JsonValue | undefined): number | null {
  return isInt32(value) && value >= 0 ? value : null;
}

function time(value: JsonValue | undefined): Instant | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

/** A number as it was written: it is somebody's book-keeping, and no digit of it is ours to round. */
function price(value: JsonValue | undefined): string | null {
  if (value instanceof InexactNumber) return value.text;
  return typeof value === 'number' ? String(value) : text(value);
}
