import { instant } from '../kernel/clock.ts';
import type { OrderRecord } from './order.ts';

type OrderJson = Readonly<Record<string, unknown>>;

/** An order as the contract's head lists it. */
export function orderJson(order: OrderRecord): OrderJson {
  const { facts } = order;
  return {
    id: facts.id,
    quantity: facts.quantity,
    status: order.status,
    paymentStatus: facts.paymentStatus,
    productType: facts.productType,
    entityType: facts.entityType,
    subCategory: facts.subCategory,
    createdAt: instant(facts.createdAt),
    lastProcessTime: order.lastProcessTime === null ? null : instant(order.lastProcessTime),
    external_id: order.externalId,
    external_price: order.externalPrice,
    deliveredCount: order.lines.length,
  };
}

/** What a list call shows: of an odd order only `id` and `quantity` are as they always were. Filters see the truth. */
export function shownJson(order: OrderRecord): OrderJson {
  const plain = orderJson(order);
  const { id, quantity, oddity } = order.facts;
  switch (oddity) {
    case null:
      return plain;
    case 'absent':
      return { id, quantity };
    case 'null':
      return { ...Object.fromEntries(Object.keys(plain).map((key) => [key, null])), id, quantity };
    case 'extra':
      return { ...plain, warranty: { days: 3 }, tags: ['gift', null], priority: 1 };
    case 'newer':
      return {
        ...plain,
        status: 'in_review',
        paymentStatus: 'escrow',
        productType: 'subscription',
        entityType: { name: order.facts.entityType },
        deliveredCount: String(order.lines.length),
      };
  }
}
