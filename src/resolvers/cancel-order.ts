import { parseOrderIdText } from '../domain/ids.ts';
import { cancelOrder } from '../flows/orders/cancel-order.ts';
import { builder } from '../schema/builder.ts';
import { CancelOrderOutcomeType } from '../schema/cancel-outcome.ts';
import { notFound } from './errors.ts';
import { asBuyer } from './guard.ts';

builder.mutationField('cancelOrder', (t) =>
  t.field({
    type: CancelOrderOutcomeType,
    description:
      "Gives a number back before any SMS has come. Reads the order first, sends once and only on canCancel, and never repeats by itself. NOT_FOUND for another's order as for none.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id.' }) },
    resolve: asBuyer(async (_root, { orderId }, { by, deps, visibility }) => {
      const id = parseOrderIdText(orderId);
      const outcome = id === null ? null : await cancelOrder(deps, visibility, id, by);
      if (outcome === null) throw notFound('order');
      return outcome;
    }),
  }),
);
