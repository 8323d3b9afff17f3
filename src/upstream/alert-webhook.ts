import { createHmac, type KeyObject } from 'node:crypto';
import { formatInstant, type Instant, later, SECOND } from '../domain/time.ts';
import type { AlertSink } from '../ports/alert-sink.ts';
import type { Clock } from '../ports/clock.ts';
import type { Http } from './http.ts';

/** Somebody else's server: it gets less time than a provider. */
const WHOLE_CALL = 10 * SECOND;

export interface AlertWebhookParts {
  readonly url: string;
  /** Signs as Standard Webhooks say; without one the receiver has no way to tell who is calling. */
  readonly signingKey: KeyObject | undefined;
  readonly http: Http;
  readonly clock: Clock;
}

/**
 * Posts alerts to an address of the operator's, signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature: v1,<base64 HMAC-SHA256 of id.timestamp.body>`). The id stays the same when an alert is told again.
 */
export function createAlertWebhook({ url, signingKey, http, clock }: AlertWebhookParts): AlertSink {
  return {
    async tell(alert) {
      const now = clock.now();
      const body = JSON.stringify({
        type: `switchboard.${alert.kind.toLowerCase()}`,
        timestamp: formatInstant(alert.raisedAt),
        data: { kind: alert.kind, subject: alert.subject, message: alert.message },
      });
      const result = await http.call({
        operation: 'alert',
        method: 'POST',
        url,
        token: null,
        headers: headersOf(alert.id, now, body, signingKey),
        body,
        deadline: later(now, WHOLE_CALL),
      });
      return result.kind === 'answer' && result.status >= 200 && result.status < 300;
    },
  };
}

function headersOf(
  id: string,
  now: Instant,
  body: string,
  key: KeyObject | undefined,
): Record<string, string> {
  const timestamp = String(Math.floor(now / SECOND));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (key === undefined) return named;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return { ...named, 'webhook-signature': `v1,${signature}` };
}
