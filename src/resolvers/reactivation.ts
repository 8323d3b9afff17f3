import { parseOrderIdText } from '../domain/ids.ts';
import { quoteReactivation } from '../flows/orders/quote-reactivation.ts';
import { reactivateOrder } from '../flows/orders/reactivate-order.ts';
import { builder } from '../schema/builder.ts';
import { ReactivateOrderInputType } from '../schema/create-order-input.ts';
import { CreateOrderOutcomeType } from '../schema/create-outcome.ts';
import { ReactivationQuoteOutcomeType } from '../schema/reactivation.ts';
import { badInput, notFound } from './errors.ts';
import { asBuyer } from './guard.ts';
import { amountOf, jobOf, outcomeOf } from './paid-request.ts';
import { upstreamError } from './upstream-error.ts';

builder.queryField('reactivationQuote', (t) =>
  t.field({
    type: ReactivationQuoteOutcomeType,
    description:
      "What reactivating a completed order would cost at this moment. Asks the number's supplier each time: ask when somebody wants to know, not in a loop.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id of the completed order.' }) },
    resolve: asBuyer(async (_root, args, { deps, visibility }) => {
      const orderId = parseOrderIdText(args.orderId);
      if (orderId === null) throw badInput('orderId', 'the id of an order');
      const quote = await quoteReactivation(deps, visibility, orderId);
      if (quote.kind === 'fault') throw upstreamError(quote.fault);
      return quote.outcome;
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
    resolve: asBuyer(async (_root, { input }, { by, caller, deps, visibility }) => {
      const job = jobOf(input, caller.name);
      const maxCost = amountOf(input.maxCost, 'maxCost') ?? input.maxCost;
      const orderId = parseOrderIdText(input.orderId);
      if (orderId === null) throw notFound('order');
      const asked = { kind: 'REACTIVATE', ...job, orderId, maxCost } as const;
      return outcomeOf(await reactivateOrder(deps, visibility, asked, by));
    }),
  }),
);
