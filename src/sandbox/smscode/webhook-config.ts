import { z } from 'zod';
import { isLoopbackHost } from '../kernel/control.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import { invalid, type Refused, refused } from './answer.ts';

const configSchema = z.object({
  url: z.string().nullable(),
  secret: z.string().nullable(),
  /** Epoch milliseconds. */
  disabledAt: z.number().nullable(),
  failures: z.int(),
});

export type WebhookConfig = z.output<typeof configSchema>;

export type WebhookStart = { readonly url?: string | null; readonly secret?: string | null };

export type WebhookConfigs = {
  read(): WebhookConfig;
  /** null where a change was made: delivery is then enabled again and the count 0. */
  patch(body: unknown): Refused | null;
  succeeded(): void;
  /** Disables at ten failures in a row. */
  failed(now: number): void;
};

export const DISABLED_REASON = 'consecutive_failed_user_endpoint';
const DEFAULT_SECRET = 'sandbox-secret';
const FAILURES_ALLOWED = 10;
const URL_LENGTH = 2048;
const SECRET_LENGTH = 256;

const patchSchema = z.strictObject({
  webhook_url: z.string().nullable().optional(),
  webhook_secret: z.string().nullable().optional(),
});

/**
 * `start` is what the program was told. A restart with the same words keeps what a PATCH made of it since; other
 * words (the receiver has moved) win over the journal.
 */
export function openWebhookConfig(start: WebhookStart, random: Random, journal: Journal): WebhookConfigs {
  const [kept, told] = ['config', 'told'].map((name) => new Map(journal.entries('webhook')).get(name));
  const telling = JSON.stringify(start);
  const fresh = { url: null, secret: DEFAULT_SECRET, disabledAt: null, failures: 0 };
  let config: WebhookConfig = kept === undefined ? fresh : configSchema.parse(kept);
  if (told !== telling) {
    config = {
      ...config,
      url: start.url === undefined ? config.url : start.url,
      secret: start.secret === undefined ? config.secret : start.secret,
      disabledAt: null,
      failures: 0,
    };
    journal.put('webhook', 'told', telling);
    journal.put('webhook', 'config', config);
  }

  function save(next: WebhookConfig): void {
    config = next;
    journal.put('webhook', 'config', config);
  }

  return {
    read: () => config,
    patch(body) {
      const parsed = patchSchema.safeParse(body);
      if (!parsed.success)
        return invalid('webhook', 'settings are webhook_url and webhook_secret, each a text');
      const { webhook_url: url, webhook_secret: secret } = parsed.data;
      // null is "not said" and leaves the field; a body that says nothing at all is refused.
      if ((url ?? null) === null && (secret ?? null) === null) {
        return refused('VALIDATION_ERROR', 'At least one of webhook_url and webhook_secret is needed');
      }
      const wrong = (url ? checkUrl(url) : null) ?? (secret ? checkSecret(secret) : null);
      if (wrong !== null) return wrong;
      const next = { ...config, disabledAt: null, failures: 0 };
      if (typeof url === 'string') next.url = url === '' ? null : url;
      if (typeof secret === 'string') next.secret = secret === '' ? null : secret;
      const firstUrl = config.url === null && next.url !== null;
      if (firstUrl && next.secret === null && secret !== '')
        next.secret = random.text(64, '0123456789abcdef');
      save(next);
      return null;
    },
    succeeded() {
      if (config.failures > 0) save({ ...config, failures: 0 });
    },
    failed(now) {
      if (config.disabledAt !== null) return;
      const failures = config.failures + 1;
      save({ ...config, failures, disabledAt: failures >= FAILURES_ALLOWED ? now : null });
    },
  };
}

/** https, and no private address; both waived for loopback, where the sandbox itself runs (reference, 14). */
function checkUrl(url: string): Refused | null {
  if (url.length > URL_LENGTH) return invalid('webhook_url', `is longer than ${URL_LENGTH} characters`);
  if (!URL.canParse(url)) return invalid('webhook_url', 'is no address');
  const { protocol, hostname } = new URL(url);
  if (isLoopbackHost(hostname) && (protocol === 'http:' || protocol === 'https:')) return null;
  if (protocol !== 'https:') return invalid('webhook_url', 'must be https');
  return isPrivateHost(hostname) ? invalid('webhook_url', 'is a private or reserved address') : null;
}

function checkSecret(secret: string): Refused | null {
  return secret.length > SECRET_LENGTH
    ? invalid('webhook_secret', `is longer than ${SECRET_LENGTH} characters`)
    : null;
}

/** By the text alone: the sandbox looks no names up. `new URL` has brought IPv4 into its dotted form. */
function isPrivateHost(hostname: string): boolean {
  return (
    /^(0|10|127)\./.test(hostname) ||
    /^(169\.254|192\.168|192\.0\.[02]|198\.1[89]|198\.51\.100|203\.0\.113)\./.test(hostname) ||
    /^172\.(1[6-9]|2\d|3[01])\./.test(hostname) ||
    /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(hostname) ||
    /^(22[4-9]|2[345]\d)\./.test(hostname) ||
    /^\[(::|f[cd]|fe[89ab]|ff|2001:db8:)/.test(hostname) ||
    /(^|\.)(localhost|local|internal|lan|home\.arpa)\.?$/.test(hostname)
  );
}
