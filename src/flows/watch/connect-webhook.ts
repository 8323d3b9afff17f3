import type { Actor } from '../../domain/audit.ts';
import type { ReadReply, WebhookSettings } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { judgeWebhook } from './watch-webhook.ts';

/**
 * Tells the provider where to deliver, and with which secret to sign (the newest configured one, or it would make up
 * one that nothing here knows). Any success switches delivery on again. An unclear end is looked up: the same values twice are harmless.
 */
export async function connectWebhook(
  deps: Deps,
  url: string,
  by: Actor,
): Promise<ReadReply<WebhookSettings>> {
  const set = await deps.numbers.setWebhookUrl(url);
  const settings =
    set.kind === 'unavailable' || set.kind === 'malformed' ? await deps.numbers.webhook() : set;
  if (settings.kind !== 'read') return settings;
  if (settings.value.url !== url) return set;
  await deps.store.notebook.write('webhook-url', url, by);
  await judgeWebhook(deps, settings.value);
  return settings;
}
