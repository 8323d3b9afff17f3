import type { Deps } from '../deps.ts';

export type Receipt =
  /** Durable, or already here: 2xx. */
  | { readonly kind: 'stored' | 'duplicate' }
  /** Genuine, and no JSON object: kept as rejected, 400. */
  | { readonly kind: 'rejected' }
  /** 401; nothing is stored, or every forgery would cost a row. */
  | { readonly kind: 'unsigned' }
  /** Not durable: 5xx, so that the provider sends it again. */
  | { readonly kind: 'failed' };

/** What it takes: a request has its own log, and one of its own of all the rest would be made for each. */
export type ReceivingDeps = Pick<Deps, 'store' | 'webhooks' | 'metrics' | 'log'>;

/**
 * Takes a webhook in: verify, file once, answer. No effect runs here (smscode-v1.md, Webhooks to us).
 * Verify the bytes as received: parsed and printed again, they are no longer what was signed.
 */
export async function receiveWebhook(
  deps: ReceivingDeps,
  body: Uint8Array,
  signature: string | null,
): Promise<Receipt> {
  const receipt = await takeIn(deps, body, signature);
  deps.metrics.webhook(receipt.kind);
  return receipt;
}

async function takeIn(deps: ReceivingDeps, body: Uint8Array, signature: string | null): Promise<Receipt> {
  if (!deps.webhooks.isGenuine(body, signature)) return { kind: 'unsigned' };
  const envelope = deps.webhooks.envelope(body);
  try {
    if (envelope.kind === 'rejected') {
      await deps.store.inbox.insert({
        dedupeKey: envelope.dedupeKey,
        event: 'rejected',
        orderId: null,
        revision: null,
        body,
        rejected: true,
      });
      deps.log.warn('a genuine webhook was rejected', { why: envelope.why });
      return { kind: 'rejected' };
    }
    const { dedupeKey, event, orderId, revision } = envelope;
    const kind = await deps.store.inbox.insert({
      dedupeKey,
      event,
      orderId,
      revision,
      body,
      rejected: false,
    });
    return { kind };
  } catch (error) {
    deps.log.error('a webhook could not be stored', {}, error);
    return { kind: 'failed' };
  }
}
