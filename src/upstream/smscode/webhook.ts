import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type OrderId, parseOrderId } from '../../domain/ids.ts';
import type { TerminalStatus } from '../../domain/orders/order.ts';
import { parseEvidence, type SmsEvidence } from '../../domain/sms/accept.ts';
import type { WebhookEvent } from '../../domain/sms/event.ts';
import { parseInstant } from '../../domain/time.ts';
import type { WebhookReader } from '../../ports/webhook-reader.ts';
import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { readFacts } from './snapshot.ts';

const SMS_EVENT = 'order.otp_received';
const TEST_EVENT = 'webhook.test';

const statusOfEvent: ReadonlyMap<string, TerminalStatus> = new Map([
  ['order.completed', 'COMPLETED'],
  ['order.canceled', 'CANCELED'],
  ['order.expired', 'EXPIRED'],
]);

/**
 * Reads the provider's webhooks (smscode-v1.md, Webhooks to us): strict about the signature and the evidence of a
 * message, lenient about all else, for what is refused here is a message lost.
 */
export function createWebhookReader(secrets: readonly string[]): WebhookReader {
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
  return {
    isGenuine: (body, signature) => isSigned(body, signature, keys),

    envelope(body) {
      const message = readMessage(body);
      if (message.kind === 'rejected') {
        return { kind: 'rejected', dedupeKey: `rejected:${sha256(body)}`, why: message.why };
      }
      const { event, orderId } = message;
      const revision = message.evidence?.revision ?? null;
      return {
        kind: 'event',
        dedupeKey: `${event}:${dedupePart(message) ?? sha256(body)}`,
        event,
        orderId: event === TEST_EVENT ? null : orderId,
        revision: event === SMS_EVENT && orderId !== null ? revision : null,
      };
    },

    event(body) {
      const message = readMessage(body);
      return message.kind === 'rejected' ? { kind: 'nothing', why: message.why } : toEvent(message);
    },
  };
}

/** Over the bytes as received: parsed and printed again they are no longer what was signed. */
function isSigned(body: Uint8Array, signature: string | null, keys: readonly KeyObject[]): boolean {
  // Of two headers Node makes one text with a comma in it, which this refuses like upper-case hex and sha1.
  if (signature === null || !/^sha256=[0-9a-f]{64}$/.test(signature)) return false;
  const told = Buffer.from(signature.slice('sha256='.length), 'hex');
  let genuine = false;
  // Every secret is tried, so that the time taken does not tell which one fits.
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(body).digest();
    genuine = timingSafeEqual(told, expected) || genuine;
  }
  return genuine;
}

interface Message {
  readonly kind: 'message';
  readonly event: string;
  readonly orderId: OrderId | null;
  readonly evidence: SmsEvidence | null;
  readonly timestamp: string | null;
  readonly data: JsonObject;
}

function readMessage(body: Uint8Array): Message | { readonly kind: 'rejected'; readonly why: string } {
  const parsed = parseJson(body, { allowBom: true });
  if (parsed.kind === 'not-json') return { kind: 'rejected', why: parsed.why };
  if (!isJsonObject(parsed.value)) return { kind: 'rejected', why: 'no JSON object' };
  const { event, timestamp, data } = parsed.value;
  const facts = isJsonObject(data) ? data : {};
  return {
    kind: 'message',
    // It becomes a key and a column: a name out of all bounds goes under one of ours.
    event: typeof event === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(event) ? event : 'unknown',
    orderId: parseOrderId(facts['order_id']),
    evidence: parseEvidence(facts['sms_revision'], facts['otp_message'], facts['otp_code']),
    timestamp: typeof timestamp === 'string' ? timestamp : null,
    data: facts,
  };
}

/** What tells the event from others of its name; null where only the body's hash can. */
function dedupePart({ event, orderId, evidence }: Message): string | null {
  if (orderId === null || event === TEST_EVENT || event === 'unknown') return null;
  if (event !== SMS_EVENT) return String(orderId);
  // Without evidence it must not take the key of the good delivery that may still come.
  return evidence === null ? null : `${orderId}:${evidence.revision}`;
}

function toEvent({ event, orderId, evidence, timestamp, data }: Message): WebhookEvent {
  if (event === TEST_EVENT) return { kind: 'test' };
  const status = statusOfEvent.get(event);
  if (event !== SMS_EVENT && status === undefined) return { kind: 'nothing', why: 'an unknown event' };
  if (orderId === null) return { kind: 'nothing', why: 'its order is no int32' };
  const facts = { ...readFacts(data), emittedAt: timestamp === null ? null : parseInstant(timestamp) };
  if (status !== undefined) return { kind: 'ended', orderId, status, facts };
  if (evidence === null) return { kind: 'nothing', why: 'no revision, or no text' };
  return { kind: 'sms', orderId, evidence, facts };
}

function sha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
