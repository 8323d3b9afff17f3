import type { SmsRevision, SmsSource } from '../domain/sms/accept.ts';
import { suggestCode } from '../domain/sms/suggest-code.ts';
import { builder } from './builder.ts';

const SmsSourceType = builder.enumType('SmsSource', {
  description: 'How a message came to the gateway.',
  values: {
    WEBHOOK: { description: 'The provider called.' },
    POLL: { description: 'A read of the order found it: a webhook was late, lost, or is not set up.' },
  } satisfies Record<SmsSource, { description: string }>,
});

/** `order` and `cursor` need the context: they are added in resolvers. */
export const SmsRevisionType = builder.objectRef<SmsRevision>('SmsRevision').implement({
  description:
    'An accepted message of an order. Once accepted it does not change, until retention erases its text.',
  fields: (t) => ({
    revision: t.exposeInt('revision', {
      description: "The provider's number of the message within its order: rising, not always by one.",
    }),
    message: t.exposeString('message', { description: 'The message as sent, never cut or changed.' }),
    otpCode: t.exposeString('otpCode', {
      nullable: true,
      description: "The provider's own reading of the code; often null though the message holds one.",
    }),
    suggestedCode: t.string({
      nullable: true,
      description:
        'The code as a person would read it out of the message, ready to be typed into a form; null where none stands out. Show the message beside it.',
      resolve: (sms) => suggestCode(sms.message),
    }),
    source: t.expose('source', { type: SmsSourceType, description: 'How it came to the gateway.' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When the gateway accepted it.' }),
  }),
});
