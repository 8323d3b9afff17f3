import { parseOrderIdText } from '../domain/ids.ts';
import { finishOrder } from '../flows/orders/finish-order.ts';
import { resendSms } from '../flows/orders/resend-sms.ts';
import { builder } from '../schema/builder.ts';
import { FinishOrderOutcomeType } from '../schema/finish-outcome.ts';
import { ResendSmsOutcomeType } from '../schema/resend-outcome.ts';
import { notFound } from './errors.ts';
import { asBuyer } from './guard.ts';

builder.mutationField('finishOrder', (t) =>
  t.field({
    type: FinishOrderOutcomeType,
    description:
      "Closes an order that has had its SMS. Reads the order first, sends once and only on canFinish, and never repeats by itself. NOT_FOUND for another's order as for none.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id.' }) },
    resolve: asBuyer(async (_root, { orderId }, { by, deps, visibility }) => {
      const id = parseOrderIdText(orderId);
      const outcome = id === null ? null : await finishOrder(deps, visibility, id, by);
      if (outcome === null) throw notFound('order');
      return outcome;
    }),
  }),
);

builder.mutationField('resendSms', (t) =>
  t.field({
    type: ResendSmsOutcomeType,
    description:
      "Asks for another SMS on the same number. Reads the order first, sends once and only on canResend, and never repeats by itself. NOT_FOUND for another's order as for none.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id.' }) },
    resolve: asBuyer(async (_root, { orderId }, { by, deps, visibility }) => {
      const id = parseOrderIdText(orderId);
      const outcome = id === null ? null : await resendSms(deps, visibility, id, by);
      if (outcome === null) throw notFound('order');
      return outcome;
    }),
  }),
);
