import type { Delivery } from '../domain/supplier/delivery.ts';
import { builder } from './builder.ts';

const deliveryStates = {
  PENDING: {
    description: 'Sent or about to be, without a clear answer yet: the same request goes out again.',
  },
  ACCEPTED: { description: 'The supplier API took it.' },
  REJECTED: { description: 'The supplier API refused it for good.' },
  EXPIRED: { description: 'No clear answer within an hour: what was stored upstream is unknown.' },
};
const deliveryStatuses = {
  COMPLETED: { description: 'Closes the order.' },
  PARTIAL: { description: 'Something is still owed; the rest follows in a later delivery.' },
};

export const DeliveryStatusType = builder.enumType('DeliveryStatus', {
  description: 'What a delivery says of its order.',
  values: deliveryStatuses,
});

const SupplierDeliveryStateType = builder.enumType('SupplierDeliveryState', {
  description: 'Where a delivery stands.',
  values: deliveryStates,
});

export const SupplierDeliveryType = builder.objectRef<Delivery>('SupplierDelivery').implement({
  description: 'One delivery on a supplier order, stored before it was sent.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The gateway's id of the delivery." }),
    state: t.expose('state', { type: SupplierDeliveryStateType, description: 'Where it stands.' }),
    lines: t.exposeInt('lines', { description: 'How many lines it carries.' }),
    status: t.expose('status', { type: DeliveryStatusType, description: 'What it says of the order.' }),
    attempts: t.exposeInt('attempts', {
      description: 'How often it was sent; the lines are stored once, however often.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The code of the last failure; null where there was none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was accepted, rejected or given up; null while it is pending.',
    }),
  }),
});
