import { builder } from '../schema/builder.ts';
import {
  OrderStatisticsGroupType,
  OrderStatisticsType,
  SupplierStatisticsType,
} from '../schema/statistics.ts';
import { notYetAvailable } from './errors.ts';
import { asBuyer, asSupplier } from './guard.ts';

builder.queryField('orderStatistics', (t) =>
  t.field({
    type: [OrderStatisticsType],
    description:
      "Time to first SMS and success rate of the caller's own orders (an operator's: all), by group.",
    args: {
      since: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Orders made at this instant or later.',
      }),
      groupBy: t.arg({
        type: OrderStatisticsGroupType,
        required: true,
        defaultValue: 'PLATFORM',
        description: 'By what to put orders together.',
      }),
    },
    resolve: asBuyer(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.queryField('supplierStatistics', (t) =>
  t.field({
    type: SupplierStatisticsType,
    description: 'How fast supplier orders were worked off.',
    args: {
      since: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Orders claimed at this instant or later.',
      }),
    },
    resolve: asSupplier(() => {
      throw notYetAvailable();
    }),
  }),
);
