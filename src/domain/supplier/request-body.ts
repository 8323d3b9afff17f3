import type { SupplierOrderId } from '../ids.ts';
import { BULK_ABOVE_BYTES, BULK_ABOVE_LINES, type DeliveryStatus } from './delivery.ts';

export interface DeliveryRequest {
  readonly endpoint: string;
  readonly body: string;
}

export interface DeliveryContent {
  readonly orderId: SupplierOrderId;
  readonly status: DeliveryStatus;
  readonly lines: readonly string[];
  /** Null: left out, which leaves what was set. */
  readonly externalId: string | null;
  readonly externalPrice: string | null;
}

/** The request of a delivery: orders-update, or accounts-bulk (the same body without `order`) above 1,000 lines or 256 KiB. */
export function deliveryRequest(content: DeliveryContent): DeliveryRequest {
  const rest = {
    status: content.status.toLowerCase(),
    accounts: content.lines,
    ...(content.externalId === null ? {} : { external_id: content.externalId }),
    ...(content.externalPrice === null ? {} : { external_price: content.externalPrice }),
  };
  const body = JSON.stringify({ order: content.orderId, ...rest });
  const isLarge = content.lines.length > BULK_ABOVE_LINES || utf8Length(body) > BULK_ABOVE_BYTES;
  if (!isLarge) return { endpoint: '/orders-update', body };
  return {
    endpoint: `/orders/${encodeURIComponent(content.orderId)}/accounts-bulk`,
    body: JSON.stringify(rest),
  };
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
