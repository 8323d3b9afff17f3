import {
  remainingOf,
  type SupplierOrder,
  type SupplierOrderStatus,
  type SupplierPaymentStatus,
  type SupplierProductType,
} from '../domain/supplier/order.ts';
import { builder } from './builder.ts';
import { type Connection, connectionOf } from './connection.ts';

const unknown = {
  description:
    'A value of a newer kind than this gateway knows; the raw one is in its log. In a filter it is bad input.',
};
const statuses = {
  PENDING: { description: 'Waits to be claimed.' },
  PROCESSING: { description: 'Claimed and being worked on.' },
  COMPLETED: { description: 'Delivered and closed.' },
  REFUNDED: { description: 'All of the money went back: deliver nothing.' },
  ERROR: { description: 'Failed upstream.' },
  UNKNOWN: unknown,
} satisfies Record<SupplierOrderStatus, object>;
const paymentStatuses = {
  PENDING: { description: 'Not paid yet.' },
  COMPLETED: { description: 'Paid.' },
  FAILED: { description: 'The payment failed.' },
  REFUNDED: { description: 'All of it went back.' },
  PROCESSING: { description: 'Being paid.' },
  PARTIAL: { description: 'A part went back; the order is still live work.' },
  UNKNOWN: unknown,
} satisfies Record<SupplierPaymentStatus, object>;
const productTypes = {
  MANUAL: { description: 'The supplier fetches the goods after the order: what pullSupplierOrders claims.' },
  INVENTORY: { description: 'Delivered from stock upstream.' },
  AUTO: { description: 'Delivered by a machine upstream.' },
  UNKNOWN: unknown,
} satisfies Record<SupplierProductType, object>;

const SupplierOrderStatusType = builder.enumType('SupplierOrderStatus', {
  description: 'Where a supplier order stands.',
  values: statuses,
});
const SupplierPaymentStatusType = builder.enumType('SupplierPaymentStatus', {
  description: "Where the buyer's payment of a supplier order stands.",
  values: paymentStatuses,
});
const SupplierProductTypeType = builder.enumType('SupplierProductType', {
  description: 'How the goods of a supplier order come to the buyer.',
  values: productTypes,
});

export const SupplierOrderType = builder.objectRef<SupplierOrder>('SupplierOrder').implement({
  description:
    'An order that a buyer placed with the account as the supplier. It belongs to the account, not to a caller.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The supplier API's id: what `orderId` means in supplier fields." }),
    status: t.expose('status', { type: SupplierOrderStatusType, description: 'Where it stands.' }),
    paymentStatus: t.expose('paymentStatus', {
      type: SupplierPaymentStatusType,
      nullable: true,
      description: 'Where its payment stands; null where it is not told.',
    }),
    productType: t.expose('productType', {
      type: SupplierProductTypeType,
      nullable: true,
      description: 'How its goods come to the buyer; null where it is not told.',
    }),
    entityType: t.exposeString('entityType', {
      nullable: true,
      description: 'What is sold; null where it is not told.',
    }),
    subCategory: t.exposeString('subCategory', {
      nullable: true,
      description: 'The finer kind of what is sold; null where it is not told.',
    }),
    quantity: t.exposeInt('quantity', { description: 'How many lines were ordered.' }),
    deliveredCount: t.exposeInt('deliveredCount', {
      description: 'How many lines are known to have been delivered, by this gateway or otherwise.',
    }),
    remaining: t.int({
      resolve: remainingOf,
      description: 'How many lines are still owed, as far as is known; never below 0.',
    }),
    lastProcessTime: t.expose('lastProcessTime', {
      type: 'DateTime',
      nullable: true,
      description: 'The lease as it stands upstream; null where there is none.',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: "The supplier's own order number, as last delivered; null where none is set.",
    }),
    externalPrice: t.exposeString('externalPrice', {
      nullable: true,
      description: "The supplier's own book-keeping price, as text; null where none is set.",
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ordered; null where it is not told.',
    }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When this gateway claimed it; null where it did not.',
    }),
  }),
});

export const SupplierOrderConnectionType = connectionOf<SupplierOrder, Connection<SupplierOrder>>(
  'SupplierOrder',
  'supplier orders',
  SupplierOrderType,
);

export const SupplierOrderFilterType = builder.inputType('SupplierOrderFilter', {
  description:
    'Which supplier orders are meant. All that is given must hold; what is left out or null does not narrow.',
  fields: (t) => ({
    statuses: t.field({
      type: [SupplierOrderStatusType],
      description: 'Orders in any of these; UNKNOWN is bad input.',
    }),
    paymentStatuses: t.field({
      type: [SupplierPaymentStatusType],
      description:
        "Orders paid in any of these ways; UNKNOWN is bad input. Left out, the supplier API's own default holds: COMPLETED and PARTIAL.",
    }),
    productTypes: t.field({
      type: [SupplierProductTypeType],
      description: 'Orders of any of these; UNKNOWN is bad input.',
    }),
    entityType: t.string({ description: 'Orders of exactly this entityType.' }),
    subCategory: t.string({ description: 'Orders of exactly this subCategory.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Orders created at this instant or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Orders created up to this instant.' }),
  }),
});
