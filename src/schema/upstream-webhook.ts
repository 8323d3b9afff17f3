import type { Instant } from '../domain/time.ts';
import { builder } from './builder.ts';

interface UpstreamWebhook {
  readonly url: string | null;
  readonly secretSet: boolean;
  readonly consecutiveFailures: number;
  readonly disabledAt: Instant | null;
  readonly disabledReason: string | null;
  readonly asOf: Instant;
}

export const UpstreamWebhookType = builder.objectRef<UpstreamWebhook>('UpstreamWebhook').implement({
  description:
    'Where the provider sends its events for the whole account, as it is set there. The secret is never shown.',
  fields: (t) => ({
    url: t.exposeString('url', { nullable: true, description: 'The address; null where none is set.' }),
    secretSet: t.exposeBoolean('secretSet', {
      description: 'Whether events are signed. Without a secret they are not, and the gateway refuses them.',
    }),
    consecutiveFailures: t.exposeInt('consecutiveFailures', {
      description:
        'Deliveries in a row that our endpoint did not take. After ten the provider stops sending.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When delivery was stopped; null while it runs. connectUpstreamWebhook switches it on again; what was sent meanwhile only polling finds.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: "Why it was stopped, in the provider's word; null while it runs.",
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When this was read upstream.' }),
  }),
});

export const UpstreamWebhookTestType = builder
  .objectRef<{ readonly statusCode: number }>('UpstreamWebhookTest')
  .implement({
    description: 'What our endpoint answered to a test event, as the provider saw it.',
    fields: (t) => ({
      statusCode: t.exposeInt('statusCode', {
        description: 'The HTTP status: 200 is well; 401 means that the secrets on both sides differ.',
      }),
    }),
  });
