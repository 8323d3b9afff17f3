import { connectWebhook } from '../flows/watch/connect-webhook.ts';
import type { ReadReply, WebhookSettings } from '../ports/numbers-api.ts';
import { builder } from '../schema/builder.ts';
import { UpstreamWebhookTestType, UpstreamWebhookType } from '../schema/upstream-webhook.ts';
import { badInput } from './errors.ts';
import { asOperator } from './guard.ts';
import { readOrThrow, upstreamError } from './upstream-error.ts';

/** The provider's own bound. */
const LONGEST_URL = 2_048;

builder.queryField('upstreamWebhook', (t) =>
  t.field({
    type: UpstreamWebhookType,
    description:
      "Operator only: the account's webhook settings upstream. Delivery stops there after ten failures in a row.",
    resolve: asOperator(async (_root, _args, { deps }) => shown(await deps.numbers.webhook())),
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
    resolve: asOperator(async (_root, { url }, { by, deps }) => {
      if (!isDeliverable(url)) {
        throw badInput('url', `an https address of ${LONGEST_URL} characters at most`);
      }
      return shown(await connectWebhook(deps, url, by));
    }),
  }),
);

builder.mutationField('testUpstreamWebhook', (t) =>
  t.field({
    type: UpstreamWebhookTestType,
    description:
      'Operator only: has the provider send a test event now, and tells what our endpoint answered it.',
    resolve: asOperator(async (_root, _args, { deps }) => readOrThrow(await deps.numbers.testWebhook())),
  }),
);

function shown(reply: ReadReply<WebhookSettings>) {
  if (reply.kind !== 'read') throw upstreamError(reply);
  return { ...reply.value, asOf: reply.readAt };
}

/** https, or plain http to this machine, where the simulated provider runs. */
function isDeliverable(url: string): boolean {
  // A parser of addresses drops line breaks and spaces without a word; what is stored and sent must be what was judged.
  if (url.length > LONGEST_URL || !/^[\x21-\x7e]+$/.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  );
}
