import { successRate } from '../domain/orders/statistics.ts';
import { supplierStatistics } from '../domain/supplier/statistics.ts';
import { nameGroups } from '../flows/catalog/name-groups.ts';
import { builder } from '../schema/builder.ts';
import {
  OrderStatisticsGroupType,
  OrderStatisticsType,
  SupplierStatisticsType,
} from '../schema/statistics.ts';
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
    resolve: asBuyer(async (_root, { since, groupBy }, { deps, visibility }) => {
      const groups = await deps.store.statistics.orders(visibility, since, groupBy);
      const label = await nameGroups(deps, groupBy);
      return groups.map((group) => ({
        ...group,
        label: group.key === null ? null : label(group.key),
        successRate: successRate(group),
      }));
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
    resolve: asSupplier(async (_root, { since }, { deps }) => {
      const { claimed, seconds } = await deps.store.supplier.completionTimes(since);
      return supplierStatistics(claimed, seconds);
    }),
  }),
);
