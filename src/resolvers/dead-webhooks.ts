import type { DeadWebhook } from '../domain/sms/dead-webhook.ts';
import { builder } from '../schema/builder.ts';
import { DeadWebhookConnectionType, DeadWebhookType } from '../schema/dead-webhook.ts';
import { notFound } from './errors.ts';
import { asOperator } from './guard.ts';
import { DEFAULT_FIRST, numberedList, openEndedPage } from './page.ts';

const deadList = numberedList<DeadWebhook>('deadWebhooks', ({ id }) => id);

builder.queryField('deadWebhooks', (t) =>
  t.field({
    type: DeadWebhookConnectionType,
    description:
      'Operator only: webhooks that were taken in and given up on, newest first. Empty is how it should be.',
    args: {
      first: t.arg.int({ defaultValue: DEFAULT_FIRST, description: 'How many at most, 1 to 100.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the newest.' }),
    },
    resolve: asOperator((_root, args, context) =>
      openEndedPage(context, deadList, null, args, (before, limit) =>
        context.deps.store.inbox.dead(before, limit),
      ),
    ),
  }),
);

builder.mutationField('replayDeadWebhook', (t) =>
  t.field({
    type: DeadWebhookType,
    description:
      'Operator only: has a dead webhook worked off as if it had just come, once what it failed on is mended. Returns it as it was; NOT_FOUND where it is not dead, or no more.',
    args: { id: t.arg.id({ required: true, description: 'DeadWebhook.id.' }) },
    resolve: asOperator(async (_root, { id }, { by, deps }) => {
      const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
      const replayed = number === null ? null : await deps.store.inbox.replay(number, by);
      if (replayed === null) throw notFound('dead webhook');
      return replayed;
    }),
  }),
);
