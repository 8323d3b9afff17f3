import type { WebhookSettings } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { clearAlert, raiseAlert } from './raise-alert.ts';

/** The provider stops delivering at ten failures in a row; from here on somebody should look. */
const FAILURES_WORTH_AN_ALERT = 3;

/** Reads the account's webhook settings: a receiver that was down for minutes is cut off until somebody says so. */
export async function watchWebhook(deps: Deps): Promise<void> {
  const read = await deps.numbers.webhook();
  if (read.kind !== 'read') {
    deps.log.warn('the webhook settings could not be read', { fault: read.kind });
    return;
  }
  await judgeWebhook(deps, read.value);
}

export async function judgeWebhook(deps: Deps, settings: WebhookSettings): Promise<void> {
  const { disabledAt, disabledReason, consecutiveFailures, url } = settings;
  await alertWhile(
    deps,
    'WEBHOOK_DISABLED',
    disabledAt !== null,
    `the provider has stopped delivering webhooks (${disabledReason ?? 'no reason given'}): repair the receiver, then connectUpstreamWebhook`,
  );
  await alertWhile(
    deps,
    'WEBHOOK_FAILING',
    disabledAt === null && consecutiveFailures >= FAILURES_WORTH_AN_ALERT,
    `${consecutiveFailures} webhook deliveries in a row have failed; at ten the provider stops`,
  );
  const ours = await deps.store.notebook.read('webhook-url');
  await alertWhile(
    deps,
    'WEBHOOK_ELSEWHERE',
    ours !== null && url !== ours,
    'the provider delivers webhooks to another address than the one connected here: connectUpstreamWebhook sets it',
  );
}

async function alertWhile(
  deps: Deps,
  kind: 'WEBHOOK_DISABLED' | 'WEBHOOK_FAILING' | 'WEBHOOK_ELSEWHERE',
  isTrue: boolean,
  message: string,
): Promise<void> {
  if (isTrue) await raiseAlert(deps, kind, message);
  else await clearAlert(deps, kind);
}
