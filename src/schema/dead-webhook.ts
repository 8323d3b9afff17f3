import type { DeadWebhook } from '../domain/sms/dead-webhook.ts';
import { builder } from './builder.ts';
import { type Connection, connectionOf } from './connection.ts';

export const DeadWebhookType = builder.objectRef<DeadWebhook>('DeadWebhook').implement({
  description:
    'A webhook that was taken in, and given up on after ten failures to act on it; the log tells why, by this id. What it holds is kept, and not shown.',
  fields: (t) => ({
    id: t.id({ description: 'Its number here.', resolve: ({ id }) => String(id) }),
    event: t.exposeString('event', { description: "The provider's name of the event." }),
    orderId: t.id({
      nullable: true,
      description: 'Order.id that it tells of; null where it names none.',
      resolve: ({ orderId }) => (orderId === null ? null : String(orderId)),
    }),
    revision: t.exposeInt('revision', {
      nullable: true,
      description: 'The message that it brought, by its number within the order; null where it brought none.',
    }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When it came.' }),
    tries: t.exposeInt('tries', { description: 'How often it was tried.' }),
  }),
});

export const DeadWebhookConnectionType = connectionOf<DeadWebhook, Connection<DeadWebhook>>(
  'DeadWebhook',
  'dead webhooks',
  DeadWebhookType,
);
