import { type DeliveryId, parseDeliveryId, parseSupplierOrderId } from '../../../src/domain/ids.ts';
import type { SupplierOrderSnapshot } from '../../../src/domain/supplier/order.ts';
import type { SupplierStore } from '../../../src/ports/store/supplier.ts';
import { alice, byAlice } from './values.ts';
import { known } from './world.ts';

export const supplierId = (text: string) => known(parseSupplierOrderId(text));
export const deliveryId = (text: string): DeliveryId => known(parseDeliveryId(text));

/** What an answer told of a supplier order: in processing, ten pieces, and nothing more. */
export function told(name: string, but: Partial<SupplierOrderSnapshot> = {}): SupplierOrderSnapshot {
  return {
    id: supplierId(name),
    quantity: 10,
    status: 'PROCESSING',
    paymentStatus: null,
    productType: null,
    entityType: null,
    subCategory: null,
    deliveredCount: null,
    lastProcessTime: null,
    externalId: null,
    externalPrice: null,
    createdAt: null,
    ...but,
  };
}

type DeliveryDraft = Parameters<SupplierStore['prepareDelivery']>[0];

export function delivery(name: string, order: string, but: Partial<DeliveryDraft> = {}): DeliveryDraft {
  return {
    id: deliveryId(name),
    orderId: supplierId(order),
    caller: alice,
    endpoint: `/orders/${order}/accounts`,
    body: `{"accounts":["${name}:1","${name}:2"]}`,
    lines: 2,
    status: 'PARTIAL',
    externalId: null,
    externalPrice: null,
    ...but,
  };
}

/** Prepares a delivery that is to be fresh, as its order stands. */
export async function begun(supplier: SupplierStore, draft: DeliveryDraft, token = 'token') {
  const { version } = await supplier.deliveredLines(draft.orderId);
  const prepared = await supplier.prepareDelivery(draft, version, token, byAlice);
  if (prepared.kind !== 'fresh') throw new Error(`the delivery is ${prepared.kind}`);
  return prepared.delivery;
}
