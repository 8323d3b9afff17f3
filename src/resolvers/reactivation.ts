import { builder } from '../schema/builder.ts';
import { ReactivateOrderInputType } from '../schema/create-order-input.ts';
import { CreateOrderOutcomeType } from '../schema/create-outcome.ts';
import { ReactivationQuoteOutcomeType } from '../schema/reactivation.ts';
import { notYetAvailable } from './errors.ts';
import { asBuyer } from './guard.ts';

builder.queryField('reactivationQuote', (t) =>
  t.field({
    type: ReactivationQuoteOutcomeType,
    description:
      "What reactivating a completed order would cost at this moment. Asks the number's supplier each time: ask when somebody wants to know, not in a loop.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id of the completed order.' }) },
    resolve: asBuyer(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('reactivateOrder', (t) =>
  t.field({
    type: CreateOrderOutcomeType,
    description:
      'Rents the number of a completed order once more, as a new order. Charges: a durable attempt with the same promises as createOrder, and as safe to repeat with the same businessJobId.',
    args: {
      input: t.arg({
        type: ReactivateOrderInputType,
        required: true,
        description: 'Which number, for which job, and what it may cost.',
      }),
    },
    resolve: asBuyer(() => {
      throw notYetAvailable();
    }),
  }),
);
