import { builder } from './builder.ts';

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

const PercentilesType = builder.objectRef<Percentiles>('Percentiles').implement({
  description: 'How a set of durations is spread, in seconds.',
  fields: (t) => ({
    p50: t.exposeFloat('p50', { description: 'The median: half took this long or less.' }),
    p95: t.exposeFloat('p95', { description: 'Nineteen of twenty took this long or less.' }),
    max: t.exposeFloat('max', { description: 'The longest.' }),
  }),
});

export const OrderStatisticsGroupType = builder.enumType('OrderStatisticsGroup', {
  description: 'By what orders are put together.',
  values: {
    PLATFORM: { description: 'The platform that the number was for.' },
    COUNTRY: { description: "The number's country." },
    OPERATOR: { description: 'The mobile operator.' },
    PRODUCT: { description: 'The catalogProductId.' },
  },
});

interface OrderStatistics {
  readonly key: number | null;
  readonly label: string | null;
  readonly orders: number;
  readonly received: number;
  readonly expired: number;
  readonly canceled: number;
  readonly failed: number;
  readonly successRate: number | null;
  readonly secondsToFirstSms: Percentiles | null;
}

export const OrderStatisticsType = builder.objectRef<OrderStatistics>('OrderStatistics').implement({
  description: 'How the orders of one group fared.',
  fields: (t) => ({
    key: t.exposeInt('key', {
      nullable: true,
      description:
        'The id of the platform, country, operator or product; null of orders for which it is not known.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'Its name; null where it is not known.' }),
    orders: t.exposeInt('orders', { description: 'Orders made, whatever became of them.' }),
    received: t.exposeInt('received', { description: 'Of these, such as got at least one SMS.' }),
    expired: t.exposeInt('expired', { description: 'Such as ran out without an SMS.' }),
    canceled: t.exposeInt('canceled', { description: 'Such as were canceled without an SMS.' }),
    failed: t.exposeInt('failed', { description: 'Such as never got a number.' }),
    successRate: t.exposeFloat('successRate', {
      nullable: true,
      description:
        'received / (received + expired + canceled), from 0 to 1; null where that would divide by 0.',
    }),
    secondsToFirstSms: t.expose('secondsToFirstSms', {
      type: PercentilesType,
      nullable: true,
      description: 'From the order to its first SMS, in seconds; null where none has had one.',
    }),
  }),
});

interface SupplierStatistics {
  readonly orders: number;
  readonly secondsToComplete: Percentiles | null;
  readonly withinTenMinutes: number | null;
  readonly overOneDay: number | null;
}

export const SupplierStatisticsType = builder.objectRef<SupplierStatistics>('SupplierStatistics').implement({
  description: 'How fast claimed supplier orders were worked off.',
  fields: (t) => ({
    orders: t.exposeInt('orders', { description: 'Orders that this gateway claimed.' }),
    secondsToComplete: t.expose('secondsToComplete', {
      type: PercentilesType,
      nullable: true,
      description: 'From the claim to completed, in seconds; null where none is completed.',
    }),
    withinTenMinutes: t.exposeFloat('withinTenMinutes', {
      nullable: true,
      description:
        'The part of the completed that took ten minutes or less, from 0 to 1; null where none is.',
    }),
    overOneDay: t.exposeFloat('overOneDay', {
      nullable: true,
      description: 'The part of the completed that took over a day, from 0 to 1; null where none is.',
    }),
  }),
});
