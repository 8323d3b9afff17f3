import type { Order, OrderSnapshot } from '../domain/orders/order.ts';
import type { Page } from '../domain/page.ts';
import type { SmsEvidence } from '../domain/sms/accept.ts';
import type { Cipher } from '../ports/cipher.ts';
import type { AttemptStore } from '../ports/store/attempts.ts';
import type { FurtherStores } from '../ports/store/further.ts';
import type { Inbox } from '../ports/store/inbox.ts';
import type { OrderPosition, OrderStore } from '../ports/store/orders.ts';
import type { Store } from '../ports/store/store.ts';
import { createTextSeal, type TextSeal } from './sealed-texts.ts';

/** Snapshots sealed in one turn of the event loop: some milliseconds, so that others get theirs in between. */
const SEALED_AT_ONCE = 500;

/**
 * A message is handed to its followers, and its order's number sealed again, milliseconds after they were sealed. Some MiB
 * at most. Not the bodies of webhooks: of a flood few are still remembered when they are worked off, and keeping
 * them costs each webhook more than opening saves.
 */
const REMEMBERED = 2_048;

/**
 * A store that never sees a message's text, a code, a number or the body of a webhook: they are sealed in front of it,
 * whichever it is. Delivered lines it seals by itself.
 */
export function sealedStore(
  store: Store & FurtherStores,
  cipher: Cipher,
  remembered = REMEMBERED,
): Store & FurtherStores {
  const seal = createTextSeal(cipher, remembered);
  return {
    ...store,
    attempts: sealedAttempts(store.attempts, seal),
    orders: sealedOrders(store.orders, seal),
    inbox: sealedInbox(store.inbox, seal),
    evidence: {
      async unaccounted(from, to, catalogProductId) {
        return (await store.evidence.unaccounted(from, to, catalogProductId)).map(seal.openOrder);
      },
    },
  };
}

function sealedAttempts(attempts: AttemptStore, seal: TextSeal): AttemptStore {
  const opened = <Found extends { readonly orders: readonly Order[] }>(found: Found): Found => ({
    ...found,
    orders: found.orders.map(seal.openOrder),
  });
  return {
    ...attempts,
    async find(caller, businessJobId) {
      const found = await attempts.find(caller, businessJobId);
      return found === null ? null : opened(found);
    },
    async settle(claim, reply) {
      const settled = await attempts.settle(claim, seal.reply(reply));
      return settled.kind === 'settled' ? opened(settled) : settled;
    },
    async close(caller, businessJobId, closing, by) {
      const closed = await attempts.close(caller, businessJobId, closing, by);
      return closed.kind === 'closed' ? opened(closed) : closed;
    },
  };
}

function sealedOrders(orders: OrderStore, seal: TextSeal): OrderStore {
  return {
    ...orders,
    async find(scope, id) {
      const order = await orders.find(scope, id);
      return order === null ? null : seal.openOrder(order);
    },
    async byIds(scope, ids) {
      return (await orders.byIds(scope, ids)).map(seal.openOrder);
    },
    async page(scope, query, request) {
      const { phoneNumber } = query;
      const forms = phoneNumber === null ? [null] : seal.numberForms(phoneNumber);
      const pages = await Promise.all(
        forms.map((form) => orders.page(scope, { ...query, phoneNumber: form }, request)),
      );
      return openedPage(pages, request.first, seal);
    },
    async record(snapshot, readAt) {
      const recorded = await orders.record(seal.snapshot(snapshot), readAt);
      if (recorded.kind !== 'recorded') return recorded;
      const order = seal.openOrder(recorded.order);
      return {
        ...recorded,
        order,
        news: recorded.news === null ? null : seal.openMessage(recorded.news),
        conflict: recorded.conflict && isConflict(order, snapshot.evidence),
      };
    },
    async noteSeen(snapshots, readAt) {
      const plain = new Map(snapshots.map((snapshot) => [snapshot.id, snapshot]));
      const telling: OrderSnapshot[] = [];
      for (let at = 0; at < snapshots.length; at += SEALED_AT_ONCE) {
        const part = snapshots.slice(at, at + SEALED_AT_ONCE);
        telling.push(...(await orders.noteSeen(part.map(seal.snapshot), readAt)));
      }
      return telling.map(({ id }): OrderSnapshot => {
        const snapshot = plain.get(id);
        if (snapshot === undefined) throw new Error('an order was noted that nobody read');
        return snapshot;
      });
    },
    async messages(scope, id, afterRevision, limit) {
      return (await orders.messages(scope, id, afterRevision, limit)).map(seal.openMessage);
    },
    async messagesOf(scope, ids) {
      return (await orders.messagesOf(scope, ids)).map(seal.openMessage);
    },
    async messagesAfter(scope, afterSequence, limit) {
      return (await orders.messagesAfter(scope, afterSequence, limit)).map(seal.openMessage);
    },
  };
}

function sealedInbox(inbox: Inbox, seal: TextSeal): Inbox {
  return {
    ...inbox,
    insert: (entry) => inbox.insert({ ...entry, body: seal.body(entry.body) }),
    async pending(limit, orderIds) {
      const records = await inbox.pending(limit, orderIds);
      return records.map((record) => ({ ...record, body: seal.openBody(record.body) }));
    },
    async apply(batch) {
      const evidence = new Map(
        batch.map(({ record, event }) => [record.id, event.kind === 'sms' ? event.evidence : null]),
      );
      const results = await inbox.apply(
        batch.map(({ record, event }) => ({ record, event: seal.event(event) })),
      );
      return results.map((result) => {
        if (result.kind !== 'applied') return result;
        const order = result.order === null ? null : seal.openOrder(result.order);
        return {
          ...result,
          order,
          news: result.news === null ? null : seal.openMessage(result.news),
          conflict: result.conflict && isConflict(order, evidence.get(result.id) ?? null),
        };
      });
    },
  };
}

/** What a store takes for another text may be the same one, sealed with another key. */
function isConflict(order: Order | null, evidence: SmsEvidence | null): boolean {
  return order !== null && evidence !== null && order.otpMessage !== evidence.message;
}

/** Of one list in several forms: a number that is kept under several keys. A number has few orders. */
function openedPage(
  pages: readonly Page<Order, OrderPosition>[],
  first: number,
  seal: TextSeal,
): Page<Order, OrderPosition> {
  const items = pages.flatMap((page) => page.items);
  if (pages.length > 1) {
    items.sort((a, b) => b.position.createdAt - a.position.createdAt || b.position.id - a.position.id);
  }
  return {
    items: items.slice(0, first).map(({ node, position }) => ({ node: seal.openOrder(node), position })),
    hasNext: items.length > first || pages.some((page) => page.hasNext),
    total: pages.reduce((sum, page) => sum + page.total, 0),
  };
}
