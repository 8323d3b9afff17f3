import { builder } from '../schema/builder.ts';
import {
  DeliverSupplierOrderInputType,
  DeliverSupplierOrderOutcomeType,
  DeliveryPlanType,
} from '../schema/delivery-outcome.ts';
import { notYetAvailable } from './errors.ts';
import { asSupplier } from './guard.ts';

builder.queryField('deliveryPlan', (t) =>
  t.field({
    type: DeliveryPlanType,
    description: 'What a delivery of these lines would do, before anything is sent.',
    args: {
      orderId: t.arg.id({ required: true, description: 'SupplierOrder.id.' }),
      lines: t.arg.stringList({
        required: true,
        description: 'The lines, as for DeliverSupplierOrderInput.lines.',
      }),
    },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('deliverSupplierOrder', (t) =>
  t.field({
    type: DeliverSupplierOrderOutcomeType,
    description:
      'Delivers lines on an order. Stored before it is sent, and sent again unchanged until its outcome is known; answers within ten seconds.',
    args: {
      input: t.arg({
        type: DeliverSupplierOrderInputType,
        required: true,
        description: 'What to deliver on which order.',
      }),
    },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);
