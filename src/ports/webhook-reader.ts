import type { OrderId } from '../domain/ids.ts';
import type { WebhookEvent } from '../domain/sms/event.ts';

/** A delivery before its effects: enough to file it once. */
export type WebhookEnvelope =
  /** The body is no JSON object: filed as rejected. */
  | { readonly kind: 'rejected'; readonly dedupeKey: string; readonly why: string }
  | {
      readonly kind: 'event';
      readonly dedupeKey: string;
      readonly event: string;
      /** Null for an event of no order. */
      readonly orderId: OrderId | null;
      readonly revision: number | null;
    };

/** Reads the provider's webhooks (smscode-v1.md, Webhooks to us). */
export interface WebhookReader {
  /** Constant time, over the bytes as received, against every secret in force. */
  isGenuine(body: Uint8Array, signature: string | null): boolean;
  envelope(body: Uint8Array): WebhookEnvelope;
  /** For the inbox worker. Total: what cannot be understood is `nothing`. */
  event(body: Uint8Array): WebhookEvent;
}
