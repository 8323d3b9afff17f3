import { isTerminal, orderStatuses } from '../../src/domain/orders/order.ts';
import type { WebhookEnvelope } from '../../src/ports/webhook-reader.ts';
import type { HttpCall } from '../../src/upstream/http.ts';
import type { Inspector } from './inspector.ts';

/** What was seen from outside: on the wire, at the provider, at the webhook's door. */
export interface Truth {
  /** A POST leaves: is it allowed to? What it returns is called when its sender can hear of it no more. */
  posted(call: HttpCall): () => void;
  /** The provider has sent a message. */
  sent(order: number, revision: number, message: string): void;
  readonly messages: ReadonlyMap<number, ReadonlyMap<number, string>>;
  /** A webhook was answered 2xx. */
  acknowledge(envelope: WebhookEnvelope): void;
  /** Those, by their keys. */
  readonly acknowledged: ReadonlySet<string>;
  /** Messages that came while everything accepted was older, `order:revision`, and when they were answered. */
  readonly owed: ReadonlyMap<string, number>;
  /**
   * Called when a process dies. An order that a webhook has ended is read once more by that process alone: where it
   * dies first, a last message whose webhook was lost is lost with it.
   */
  excuse(): void;
  /** Orders whose last message may be missing for that reason. */
  readonly excused: ReadonlySet<number>;
  /** What must never have become less, looked at again. */
  lookAgain(): void;
}

export function createTruth(now: () => number, inspector: Inspector, violate: (what: string) => void): Truth {
  const onWire = new Map<string, { readonly request: string; sends: number }>();
  const underWay = new Set<string>();
  const messages = new Map<number, Map<number, string>>();
  const acknowledged = new Set<string>();
  const owed = new Map<string, number>();
  const excused = new Set<number>();
  const seenRevision = new Map<number, number>();
  const ended = new Set<number>();

  function posted(call: HttpCall): () => void {
    const key = call.headers?.['idempotency-key'];
    if (key !== undefined) paid(call, key);
    const what = key ?? `${call.operation} ${call.body}`;
    if (underWay.has(what)) violate(`I3: two sends of ${what} overlap`);
    underWay.add(what);
    let isOver = false;
    return () => {
      if (!isOver) underWay.delete(what);
      isOver = true;
    };
  }

  function paid({ url, body = '' }: HttpCall, key: string): void {
    const endpoint = new URL(url).pathname.replace('/v1', '');
    const request = `${endpoint} ${body}`;
    const before = onWire.get(key) ?? { request, sends: 0 };
    const sends = before.sends + 1;
    onWire.set(key, { request: before.request, sends });
    const attempt = inspector.attemptOf(key);
    if (attempt === undefined) violate(`I2: a paid request left under ${key}, which no attempt has`);
    else if (`${attempt.endpoint} ${attempt.body}` !== request) {
      violate(`I1: ${key} left with other bytes than are stored`);
    }
    if (before.request !== request) violate(`I1: ${key} left with two bodies`);
    if (inspector.sendsRecorded(key) < sends) violate(`I2: send ${sends} of ${key} left without its record`);
  }

  return {
    posted,
    messages,
    acknowledged,
    owed,
    excused,
    acknowledge(envelope) {
      acknowledged.add(envelope.dedupeKey);
      if (envelope.kind !== 'event' || envelope.orderId === null || envelope.revision === null) return;
      const order = inspector.orders().find(({ id }) => id === envelope.orderId);
      if ((order?.sms_revision ?? -1) < envelope.revision)
        owed.set(`${envelope.orderId}:${envelope.revision}`, now());
    },
    sent(order, revision, message) {
      const known = messages.get(order);
      if (known === undefined) messages.set(order, new Map([[revision, message]]));
      else known.set(revision, message);
    },
    excuse() {
      for (const { id, status, sms_revision: revision } of inspector.orders()) {
        const last = Math.max(0, ...(messages.get(id)?.keys() ?? []));
        if (isEnd(status) && revision < last) excused.add(id);
      }
    },
    lookAgain() {
      for (const { caller, spending_limit: limit, spent, reserved } of inspector.budgets()) {
        if (limit !== null && spent + reserved > limit) {
          violate(`budget: ${caller} has spent ${spent} and reserved ${reserved} of ${limit}`);
        }
        if (spent < 0 || reserved < 0) violate(`budget: ${caller} has spent ${spent}, reserved ${reserved}`);
      }
      for (const { id, status, sms_revision: revision } of inspector.orders()) {
        if (revision < (seenRevision.get(id) ?? -1)) violate(`I4: the revision of ${id} fell to ${revision}`);
        seenRevision.set(id, revision);
        if (isEnd(status)) ended.add(id);
        else if (ended.has(id)) violate(`the ended order ${id} is ${status} again`);
      }
    },
  };
}

function isEnd(status: string): boolean {
  return orderStatuses.some((known) => known === status && isTerminal(known));
}
