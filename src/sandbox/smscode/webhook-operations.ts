import { instant } from '../kernel/clock.ts';
import { type Answer, done, refused } from './answer.ts';
import { readObject } from './requests.ts';
import { DISABLED_REASON, type WebhookConfigs } from './webhook-config.ts';
import type { Webhooks } from './webhooks.ts';

export type WebhookOperations = {
  read(): Answer;
  update(body: Uint8Array): Answer;
  test(): Promise<Answer>;
};

/** The account's webhook settings (reference, 11). The secret is shown in clear, as the provider does. */
export function createWebhookOperations(config: WebhookConfigs, webhooks: Webhooks): WebhookOperations {
  function shown(): Answer {
    const { url, secret, disabledAt, failures } = config.read();
    return done({
      webhook_url: url,
      webhook_secret: secret,
      webhook_disabled_at: disabledAt === null ? null : instant(disabledAt),
      webhook_disabled_reason: disabledAt === null ? null : DISABLED_REASON,
      webhook_consecutive_failures: failures,
    });
  }

  return {
    read: shown,
    update(body) {
      const object = readObject(body);
      if (object.kind === 'refused') return object;
      return config.patch(object.value) ?? shown();
    },
    async test() {
      const { url } = config.read();
      if (url === null) return refused('VALIDATION_ERROR', 'No webhook URL is set');
      const status = await webhooks.test(url);
      return status === null
        ? refused('PROVIDER_ERROR', 'The endpoint could not be reached')
        : done({ status_code: status });
    },
  };
}
