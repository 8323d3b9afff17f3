import { MOST_ORDERS } from '../domain/orders/admit-create.ts';
import type { OrderPolicy } from '../domain/orders/attempt.ts';
import { builder } from './builder.ts';

export const LONGEST_PROVIDER_CODE = 64;

const jobDescription =
  'Your own durable name of the job, 1 to 200 characters: one job, one order request, however often it is asked for. Make it once, keep it with the job, and use it for every repetition.';
const keyDescription =
  'The idempotency key to send to the provider: 1 to 128 of A-Z a-z 0-9 _ -. Kept and sent exactly. Left out, the gateway makes and keeps one. A key of another attempt is refused.';
const thresholdDescription =
  'From when on a request without a clear answer waits for a person instead of being sent again. Left out: an hour after the start. In the past: stored for review, and not sent.';

const OrderPolicyType = builder.enumType('OrderPolicy', {
  description: 'By what the provider chooses among the offers that fit.',
  values: {
    CHEAPEST: { description: 'The lowest price: its own choice where nothing is said.' },
    BEST_SUCCESS: { description: 'The offer whose numbers most often got their SMS.' },
  } satisfies Record<OrderPolicy, { description: string }>,
});

const OrderRoutingType = builder.inputType('OrderRouting', {
  description: 'Which offer to take. All of it is optional, and passed on to the provider only where given.',
  fields: (t) => ({
    operatorId: t.int({ description: 'Only numbers of this operator; from the query operators.' }),
    minPrice: t.field({
      type: 'Rupiah',
      description: 'Pass over offers cheaper than this, per number; not negative.',
    }),
    policy: t.field({ type: OrderPolicyType, description: 'How to choose among what fits.' }),
    preferProvider: t.string({
      description: `A number supplier's code to prefer among equals: 1 to ${LONGEST_PROVIDER_CODE} printable ASCII characters. A wish, not a condition.`,
    }),
  }),
});

export const CreateOrderInputType = builder.inputType('CreateOrderInput', {
  description:
    'What to order, and for which job. Asking again for the same job never orders again: fields left out then do not matter, and one given with another value is answered with CreateOrderConflict.',
  fields: (t) => ({
    businessJobId: t.string({ required: true, description: jobDescription }),
    catalogProductId: t.int({
      required: true,
      description: 'What to order: CatalogProduct.catalogProductId.',
    }),
    quantity: t.int({
      required: true,
      defaultValue: 1,
      description: `How many numbers, 1 to ${MOST_ORDERS}. Fewer may come: see CreateOrderResolved.failedCount.`,
    }),
    idempotencyKey: t.string({ description: keyDescription }),
    reviewThresholdAt: t.field({ type: 'DateTime', description: thresholdDescription }),
    maxUnitPrice: t.field({
      type: 'Rupiah',
      description:
        'The most that one number may cost; not negative. Dearer at present: CreateOrderNotSent. It is sent along as well, so that the charge is bounded too. Left out: whatever the catalog asks.',
    }),
    routing: t.field({ type: OrderRoutingType, description: 'Which offer to take; left out: the cheapest.' }),
  }),
});

export const ReactivateOrderInputType = builder.inputType('ReactivateOrderInput', {
  description:
    'Which number to rent once more, and for which job. The same rules of repetition as for createOrder.',
  fields: (t) => ({
    businessJobId: t.string({ required: true, description: jobDescription }),
    orderId: t.id({
      required: true,
      description: 'The completed order whose number is wanted; its canReactivate must be true.',
    }),
    maxCost: t.field({
      type: 'Rupiah',
      required: true,
      description:
        'The most it may cost: what reactivationQuote told, or more. Dearer at present: CreateOrderNotSent. It is sent along, so that the charge is bounded too.',
    }),
    idempotencyKey: t.string({ description: keyDescription }),
    reviewThresholdAt: t.field({ type: 'DateTime', description: thresholdDescription }),
  }),
});
