import type { OrderId } from '../domain/ids.ts';
import type { Order, OrderSnapshot } from '../domain/orders/order.ts';
import type { PaidReply } from '../domain/orders/reply.ts';
import type { SmsEvidence, SmsRevision } from '../domain/sms/accept.ts';
import type { WebhookEvent } from '../domain/sms/event.ts';
import type { Cipher } from '../ports/cipher.ts';
import { fromStoredText, toStoredText } from './stored-text.ts';

/** What no plain text of old begins with; what does was sealed. */
const MARK = 'sealed:';
const MARK_BYTES = Buffer.from(MARK, 'ascii');

/** Seals texts on their way into a store and opens them on their way out. Blank numbers stay as they are: none is told by them. */
export interface TextSeal {
  snapshot(snapshot: OrderSnapshot): OrderSnapshot;
  reply(reply: PaidReply): PaidReply;
  event(event: WebhookEvent): WebhookEvent;
  body(body: Uint8Array): Uint8Array;
  /** All forms in which a number may be kept: under each known key, and plain, from before there was sealing. */
  numberForms(phoneNumber: string): readonly string[];
  openOrder(order: Order): Order;
  openMessage(message: SmsRevision): SmsRevision;
  openBody(body: Uint8Array): Uint8Array;
}

/**
 * Equal texts of the same order are sealed alike, and equal numbers of any: a store compares what it must, and looks
 * numbers up, without reading either. What it holds from before is given out as it is.
 */
export function createTextSeal(cipher: Cipher): TextSeal {
  const written = (sealed: Uint8Array): string => `${MARK}${Buffer.from(sealed).toString('base64')}`;
  const seal = (text: string, place: string): string =>
    written(cipher.sealAlike(toStoredText(text), place)[0]);
  const open = (kept: string): string =>
    kept.startsWith(MARK)
      ? fromStoredText(cipher.open(Buffer.from(kept.slice(MARK.length), 'base64')))
      : kept;

  const number = (phoneNumber: string): string =>
    phoneNumber.trim() === '' ? phoneNumber : seal(phoneNumber, 'number');
  const evidence = (id: OrderId, told: SmsEvidence): SmsEvidence => {
    const place = `${id}/${told.revision}`;
    return {
      revision: told.revision,
      message: seal(told.message, `message ${place}`),
      otpCode: told.otpCode === null ? null : seal(told.otpCode, `code ${place}`),
    };
  };
  const numberIn = <Told extends { readonly phoneNumber?: string | null }>(told: Told): Told =>
    typeof told.phoneNumber === 'string' ? { ...told, phoneNumber: number(told.phoneNumber) } : told;
  const snapshot = (told: OrderSnapshot): OrderSnapshot => {
    const sealed = numberIn(told);
    return told.evidence === null ? sealed : { ...sealed, evidence: evidence(told.id, told.evidence) };
  };
  const openOrNull = (kept: string | null): string | null => (kept === null ? null : open(kept));

  return {
    snapshot,
    reply: (reply) => (reply.kind === 'made' ? { ...reply, orders: reply.orders.map(snapshot) } : reply),
    event(event) {
      switch (event.kind) {
        case 'sms':
          return {
            ...event,
            evidence: evidence(event.orderId, event.evidence),
            facts: numberIn(event.facts),
          };
        case 'ended':
          return { ...event, facts: numberIn(event.facts) };
        case 'test':
        case 'nothing':
          return event;
      }
    },
    body: (body) => Buffer.concat([MARK_BYTES, cipher.seal(body)]),
    numberForms: (phoneNumber) => [
      ...cipher.sealAlike(toStoredText(phoneNumber), 'number').map(written),
      phoneNumber,
    ],
    // Opened when asked for: most readers of a page look at none of the three.
    openOrder: (order) => ({
      ...order,
      get phoneNumber() {
        return openOrNull(order.phoneNumber);
      },
      get otpCode() {
        return openOrNull(order.otpCode);
      },
      get otpMessage() {
        return openOrNull(order.otpMessage);
      },
    }),
    openMessage: (message) => ({
      ...message,
      get message() {
        return open(message.message);
      },
      get otpCode() {
        return openOrNull(message.otpCode);
      },
    }),
    openBody: (kept) => {
      const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
      return bytes.subarray(0, MARK.length).equals(MARK_BYTES)
        ? cipher.openBytes(bytes.subarray(MARK.length))
        : kept;
    },
  };
}
