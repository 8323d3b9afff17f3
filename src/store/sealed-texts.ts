import type { OrderId } from '../domain/ids.ts';
import type { Order, OrderSnapshot } from '../domain/orders/order.ts';
import type { PaidReply } from '../domain/orders/reply.ts';
import type { SmsEvidence, SmsRevision } from '../domain/sms/accept.ts';
import type { WebhookEvent } from '../domain/sms/event.ts';
import type { Cipher } from '../ports/cipher.ts';
import { createRecent } from './recent.ts';
import {
  NUMBER_PLACE,
  sealedInBody,
  sealedInText,
  textPlace,
  writtenBody,
  writtenText,
} from './sealed-form.ts';
import { fromStoredText, toStoredText } from './stored-text.ts';

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
 *
 * The last `remembered` texts that were sealed are given out without being opened, but for long ones.
 */
export function createTextSeal(cipher: Cipher, remembered: number): TextSeal {
  const texts = createRecent(remembered);
  const numbers = createRecent(remembered);

  const seal = (text: string, place: string): string => {
    const kept = writtenText(cipher.sealAlike(toStoredText(text), place));
    texts.put(kept, text);
    return kept;
  };
  const open = (kept: string): string => {
    const known = texts.get(kept);
    if (known !== undefined) return known;
    const sealed = sealedInText(kept);
    return sealed === null ? kept : fromStoredText(cipher.open(sealed));
  };

  const number = (phoneNumber: string): string => {
    if (phoneNumber.trim() === '') return phoneNumber;
    const known = numbers.get(phoneNumber);
    if (known !== undefined) return known;
    const kept = seal(phoneNumber, NUMBER_PLACE);
    numbers.put(phoneNumber, kept);
    return kept;
  };
  const evidence = (id: OrderId, told: SmsEvidence): SmsEvidence => {
    const { revision, message, otpCode } = told;
    return {
      revision,
      message: seal(message, textPlace('message', id, revision)),
      otpCode: otpCode === null ? null : seal(otpCode, textPlace('code', id, revision)),
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
    body: (body) => writtenBody(cipher.seal(body)),
    numberForms: (phoneNumber) => [
      ...cipher.formsOf(toStoredText(phoneNumber), NUMBER_PLACE).map(writtenText),
      phoneNumber,
    ],
    // Opened when asked for, and once: most readers of a page look at none of the three.
    openOrder: (order) => {
      const phoneNumber = once(() => openOrNull(order.phoneNumber));
      return {
        ...order,
        get phoneNumber() {
          return phoneNumber();
        },
        get otpCode() {
          return openOrNull(order.otpCode);
        },
        get otpMessage() {
          return openOrNull(order.otpMessage);
        },
      };
    },
    openMessage: (kept) => ({ ...kept, message: open(kept.message), otpCode: openOrNull(kept.otpCode) }),
    openBody: (kept) => {
      const sealed = sealedInBody(kept);
      return sealed === null ? kept : cipher.openBytes(sealed);
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
