import { builder } from '../schema/builder.ts';
import { FinishOrderOutcomeType } from '../schema/finish-outcome.ts';
import { ResendSmsOutcomeType } from '../schema/resend-outcome.ts';
import { notYetAvailable } from './errors.ts';
import { asBuyer } from './guard.ts';

builder.mutationField('finishOrder', (t) =>
  t.field({
    type: FinishOrderOutcomeType,
    description:
      "Closes an order that has had its SMS. Reads the order first, sends once and only on canFinish, and never repeats by itself. NOT_FOUND for another's order as for none.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id.' }) },
    resolve: asBuyer(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('resendSms', (t) =>
  t.field({
    type: ResendSmsOutcomeType,
    description:
      "Asks for another SMS on the same number. Reads the order first, sends once and only on canResend, and never repeats by itself. NOT_FOUND for another's order as for none.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id.' }) },
    resolve: asBuyer(() => {
      throw notYetAvailable();
    }),
  }),
);
