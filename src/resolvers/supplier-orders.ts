import { builder } from '../schema/builder.ts';
import {
  type SupplierOrder,
  SupplierOrderConnectionType,
  SupplierOrderFilterType,
  SupplierOrderType,
} from '../schema/supplier-order.ts';
import { notYetAvailable } from './errors.ts';
import { asSupplier } from './guard.ts';

const orderIdDescription = 'SupplierOrder.id.';

builder.queryField('supplierOrder', (t) =>
  t.field({
    type: SupplierOrderType,
    nullable: true,
    description: 'One supplier order as this gateway knows it; null when it has never seen it.',
    args: { id: t.arg.id({ required: true, description: orderIdDescription }) },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.queryField('supplierOrders', (t) =>
  t.field({
    type: SupplierOrderConnectionType,
    description:
      'Reads matching orders and changes nothing: for reconciling and dashboards. Nobody works from it: work is claimed by pullSupplierOrders alone.',
    args: {
      filter: t.arg({ type: SupplierOrderFilterType, description: 'Which orders; left out: all.' }),
      first: t.arg.int({ defaultValue: 100, description: 'How many at most, 1 to 500.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the beginning.' }),
    },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('pullSupplierOrders', (t) =>
  t.field({
    type: [SupplierOrderType],
    description:
      'Claims pending manual orders, oldest first, and returns only those whose change really happened: nobody else gets them.',
    args: {
      limit: t.arg.int({ required: true, defaultValue: 100, description: 'How many at most, 1 to 500.' }),
    },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('leaseSupplierOrder', (t) =>
  t.field({
    type: SupplierOrderType,
    description:
      'Hides the order from list calls for thirty minutes. The gateway renews the lease of what it has claimed by itself.',
    args: {
      orderId: t.arg.id({ required: true, description: orderIdDescription }),
      at: t.arg({ type: 'DateTime', description: 'When the thirty minutes begin; left out: now.' }),
    },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('releaseSupplierOrder', (t) =>
  t.field({
    type: SupplierOrderType,
    description: 'Ends the lease at once.',
    args: { orderId: t.arg.id({ required: true, description: orderIdDescription }) },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.subscriptionField('supplierOrderClaimed', (t) =>
  t.field({
    type: SupplierOrderType,
    description:
      'Orders as they are claimed, by a pull of anyone with this scope or by the automatic puller. Does not end by itself.',
    subscribe: asSupplier(() => {
      throw notYetAvailable();
    }),
    resolve: (order: SupplierOrder) => order,
  }),
);
