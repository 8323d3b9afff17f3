import { builder } from '../schema/builder.ts';
import { UpstreamWebhookTestType, UpstreamWebhookType } from '../schema/upstream-webhook.ts';
import { notYetAvailable } from './errors.ts';
import { asOperator } from './guard.ts';

builder.queryField('upstreamWebhook', (t) =>
  t.field({
    type: UpstreamWebhookType,
    description:
      "Operator only: the account's webhook settings upstream. Delivery stops there after ten failures in a row.",
    resolve: asOperator(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('connectUpstreamWebhook', (t) =>
  t.field({
    type: UpstreamWebhookType,
    description:
      "Operator only: sets the account's webhook address upstream; any success switches delivery on again.",
    args: {
      url: t.arg.string({
        required: true,
        description: "This gateway's public address of /webhooks/smscode: https, 2048 characters at most.",
      }),
    },
    resolve: asOperator(() => {
      throw notYetAvailable();
    }),
  }),
);

builder.mutationField('testUpstreamWebhook', (t) =>
  t.field({
    type: UpstreamWebhookTestType,
    description:
      'Operator only: has the provider send a test event now, and tells what our endpoint answered it.',
    resolve: asOperator(() => {
      throw notYetAvailable();
    }),
  }),
);
