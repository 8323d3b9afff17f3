import { MINUTE } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { receiveWebhook } from '../flows/sms/receive-webhook.ts';
import type { Log } from '../ports/log.ts';
import { type AddressSet, clientAddress, type TrustedProxies } from './client-address.ts';
import { answerJson, type Exchange, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';
import { singleHeader } from './single-header.ts';

const BODY_BYTES = 256 * 1024;
/** Forgeries are told of this often, with their number: a flood must not fill the disk with lines. */
const FORGERIES_TOLD_EVERY = MINUTE;

export interface WebhookRouteDeps {
  readonly deps: Deps;
  /** Undefined: anyone may call, and is judged by the signature alone. */
  readonly allowed: AddressSet | undefined;
  readonly trusted: TrustedProxies | undefined;
  readonly bodyMilliseconds: number;
}

/**
 * Takes the provider's events in (gateway.md, HTTP). The content type does not matter: what is signed are the bytes, and
 * a parser that chooses by type would skip some.
 */
export function webhookRoute({ deps, allowed, trusted, bodyMilliseconds }: WebhookRouteDeps): Route {
  const tellForgery = createForgeryTeller(deps);
  return {
    name: 'webhook',
    methods: ['POST'],
    async handle(exchange) {
      if (allowed !== undefined && !allowed.includes(clientAddress(exchange.request, trusted))) {
        answerJson(exchange, 403, { error: 'This address may not call here.' });
        return;
      }
      const limits = { bytes: BODY_BYTES, milliseconds: bodyMilliseconds };
      const body = await readBody(exchange, limits, deps.clock);
      switch (body.kind) {
        case 'too-large':
          answerJson(exchange, 413, { error: `A webhook may be of ${BODY_BYTES} bytes.` });
          return;
        case 'too-slow':
          answerJson(exchange, 408, { error: 'The webhook took too long to arrive.' });
          return;
        case 'gone':
          return;
        case 'read':
          await take(exchange, body.bytes);
      }
    },
  };

  async function take(exchange: Exchange, bytes: Uint8Array): Promise<void> {
    const signature = singleHeader(exchange.request, 'x-webhook-signature');
    const { store, webhooks, metrics } = deps;
    const { kind } = await receiveWebhook({ store, webhooks, metrics, log: exchange.log }, bytes, signature);
    switch (kind) {
      case 'stored':
      case 'duplicate':
        answerJson(exchange, 200, { received: true });
        return;
      case 'rejected':
        answerJson(exchange, 400, { error: 'The body is no JSON object; it was kept.' });
        return;
      case 'unsigned':
        tellForgery(exchange.log);
        answerJson(exchange, 401, { error: 'The signature is missing or does not fit.' });
        return;
      case 'failed':
        answerJson(
          exchange,
          503,
          { error: 'It could not be stored; send it again.' },
          { 'retry-after': '5' },
        );
    }
  }
}

function createForgeryTeller({ clock }: Pick<Deps, 'clock'>): (log: Log) => void {
  let untold = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return (log) => {
    untold += 1;
    const now = clock.now();
    if (now < nextAt) return;
    nextAt = now + FORGERIES_TOLD_EVERY;
    log.warn('webhooks without a good signature were refused', { count: untold });
    untold = 0;
  };
}
