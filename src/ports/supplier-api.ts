import type { SupplierOrderId } from '../domain/ids.ts';
import type { DeliveryReply } from '../domain/supplier/delivery.ts';
import type {
  SupplierOrderSnapshot,
  SupplierOrderStatus,
  SupplierPaymentStatus,
  SupplierProductType,
} from '../domain/supplier/order.ts';
import type { Instant } from '../domain/time.ts';
import type { ReadReply } from './numbers-api.ts';

/** Lists as the API filters them; null: not said, and then its own defaults hold. */
export interface SupplierOrderQuery {
  readonly statuses: readonly Exclude<SupplierOrderStatus, 'UNKNOWN'>[] | null;
  readonly paymentStatuses: readonly Exclude<SupplierPaymentStatus, 'UNKNOWN'>[] | null;
  readonly productTypes: readonly Exclude<SupplierProductType, 'UNKNOWN'>[] | null;
  readonly entityType: string | null;
  readonly subCategory: string | null;
  readonly createdFrom: Instant | null;
  readonly createdTo: Instant | null;
}

export interface SupplierOrderPage {
  readonly orders: readonly SupplierOrderSnapshot[];
  /** How many elements the API sent, unreadable ones included: what an offset moves on by. */
  readonly received: number;
}

/**
 * The seller-side upstream, supplier API v2. Every answer is closed. Calls are bounded (connect 5 s, whole 15 s), never
 * more than two at once and orders-update never within 200 ms over all instances; a 429 on a read is waited out and repeated.
 */
export interface SupplierApi {
  /** Claims up to `limit` pending orders. An unclear end may have claimed: the recovery finds those. */
  pull(limit: number): Promise<ReadReply<SupplierOrderPage>>;
  orders(
    query: SupplierOrderQuery,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<ReadReply<SupplierOrderPage>>;
  /** Writes lastProcessTime: an instant, or null to let go. */
  setLastProcessTime(id: SupplierOrderId, at: Instant | null): Promise<ReadReply<null>>;
  /** One send of a delivery's stored bytes. Never repeated in here. */
  sendDelivery(delivery: { readonly endpoint: string; readonly body: string }): Promise<DeliveryReply>;
}
