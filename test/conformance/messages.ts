import { describe, expect, it } from 'vitest';
import type { Visibility } from '../../src/domain/access.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { OrderSnapshot } from '../../src/domain/orders/order.ts';
import { instant, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  bob,
  bought,
  byAlice,
  draft,
  job,
  made,
  ofAlice,
  ofAll,
  ofBob,
  order,
  prepared,
  receive,
  sms,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeMessages(create: CreateDatabase): void {
  describe('messages', () => {
    const world = useWorld(create);

    async function record(id: number, but: Partial<OrderSnapshot> = {}) {
      world().clock.pass(SECOND);
      const recorded = await world().store.orders.record(snapshot(id, but), world().now());
      if (recorded.kind !== 'recorded') throw new Error(recorded.kind);
      return recorded;
    }

    /** A follower that reads on behind its cursor, one message at a time. */
    function follower(scope: Visibility) {
      let cursor = 0;
      return async (): Promise<string[]> => {
        const seen: string[] = [];
        for (;;) {
          const [next] = await world().store.orders.messagesAfter(scope, cursor, 1);
          if (next === undefined) return seen;
          expect(next.sequence).toBeGreaterThan(cursor);
          cursor = next.sequence;
          seen.push(`${next.orderId}/${next.revision}`);
        }
      };
    }

    it('gives a message back as it was sent', async () => {
      const { store, clock } = world();
      await bought(store, draft('a'), snapshot(21));
      clock.pass(SECOND);
      await receive(store, 21, smsEvent(21, 3, ' <#> код: 1\0\ud800 \\u0000 😀\r\n'));
      const [message] = await store.orders.messages(ofAlice, order(21), -1, 10);
      expect(message).toEqual({
        orderId: 21,
        revision: 3,
        message: ' <#> код: 1\0\ud800 \\u0000 😀\r\n',
        otpCode: null,
        source: 'WEBHOOK',
        receivedAt: clock.now(),
        sequence: expect.any(Number),
      });
      expect(await store.orders.messagesOf(ofAlice, [order(21)])).toEqual([message]);
      expect(await store.orders.messagesAfter(ofAlice, 0, 10)).toEqual([message]);
    });

    it('appends each newer revision once, from reads as from webhooks, and tells it as news', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21));
      const { news } = await record(21, sms(0, 'zero', '000'));
      expect(news).toMatchObject({ source: 'POLL', otpCode: '000', receivedAt: world().now() });
      expect(await store.orders.messagesOf(ofAlice, [order(21)])).toEqual([news]);
      expect((await record(21, sms(0, 'zero', '000'))).news).toBeNull();
      await receive(store, 21, smsEvent(21, 7));
      await receive(store, 21, smsEvent(21, 5));
      await record(21, sms(7));
      const revisions = (await store.orders.messages(ofAlice, order(21), -1, 10)).map((one) => one.revision);
      expect(revisions).toEqual([0, 7]);
    });

    it('reads above a revision, no more than asked for', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21));
      for (const revision of [0, 1, 2, 2 ** 53 - 1]) await record(21, sms(revision));
      const from = async (after: number, limit: number) =>
        (await store.orders.messages(ofAlice, order(21), after, limit)).map(({ revision }) => revision);
      expect(await from(-1, 2)).toEqual([0, 1]);
      expect(await from(1, 9)).toEqual([2, 2 ** 53 - 1]);
      expect(await from(2 ** 53 - 1, 9)).toEqual([]);
    });

    it('shows nobody the messages of another', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21));
      await bought(store, draft('b', { caller: bob }), snapshot(22));
      await record(21, sms(0));
      await record(22, sms(0));
      await record(23, sms(0));
      const all = [order(21), order(22), order(23)];
      const seenBy = async (scope: Visibility) => [
        (await store.orders.messagesOf(scope, all)).map(({ orderId }) => orderId),
        (await store.orders.messages(scope, order(21), -1, 9)).length,
        (await store.orders.messagesAfter(scope, 0, 9)).map(({ orderId }) => orderId),
      ];
      expect(await seenBy(ofAlice)).toEqual([[21], 1, [21]]);
      expect(await seenBy(ofBob)).toEqual([[22], 0, [22]]);
      expect(await seenBy(ofAll)).toEqual([[21, 22, 23], 1, [21, 22, 23]]);
    });

    it('shows a message that came before its create was answered to every follower, once', async () => {
      const { store } = world();
      const [toAlice, toAll] = [follower(ofAlice), follower(ofAll)];
      await bought(store, draft('b'), snapshot(22));
      const claim = await prepared(store, draft('a'));
      await receive(store, 21, smsEvent(21, 0));
      await receive(store, 21, smsEvent(21, 1));
      await record(22, sms(0));
      expect(await toAlice()).toEqual(['22/0']);
      expect(await toAll()).toEqual(['22/0']);
      await store.attempts.settle(claim, made(snapshot(21)));
      expect(await toAlice()).toEqual(['21/0', '21/1']);
      expect(await toAll()).toEqual(['21/0', '21/1']);
      await record(21, sms(2));
      expect(await toAlice()).toEqual(['21/2']);
      expect(await toAll()).toEqual(['21/2']);
    });

    it('shows an owner what operators had seen before the order was its own, and them nothing twice', async () => {
      const { store } = world();
      const [toAlice, toAll] = [follower(ofAlice), follower(ofAll)];
      await bought(store, draft('b'), snapshot(22));
      const claim = await prepared(store, draft('a'));
      await record(21, sms(0));
      await record(22, sms(0));
      expect(await toAll()).toEqual(['21/0', '22/0']);
      expect(await toAlice()).toEqual(['22/0']);
      await store.attempts.settle(claim, made(snapshot(21)));
      expect(await toAlice()).toEqual(['21/0']);
      expect(await toAll()).toEqual([]);
      await record(21, sms(1));
      expect(await toAlice()).toEqual(['21/1']);
      expect(await toAll()).toEqual(['21/1']);
    });

    it('shows an adopted message to its new owner after a review is closed', async () => {
      const { store, wake } = world();
      const toAlice = follower(ofAlice);
      await store.attempts.prepare(draft('a', { reviewThresholdAt: instant(0) }), 't', byAlice);
      await record(21, sms(0));
      expect(await toAlice()).toEqual([]);
      wake.take();
      await store.attempts.close(alice, job('job-a'), { orderIds: [order(21)], note: '' }, byAlice);
      expect(wake.take()).toContain('sms-of:alice');
      expect(await toAlice()).toEqual(['21/0']);
    });

    it('wakes the followers that can see a message, when they can', async () => {
      const { store, wake } = world();
      const claim = await prepared(store, draft('a'));
      wake.take();
      await receive(store, 21, smsEvent(21, 0));
      expect(wake.take()).toEqual(['inbox', 'open-orders', 'order:21']);
      await record(21);
      expect(wake.take()).toEqual(['order:21', 'sms-of-all']);
      await store.attempts.settle(claim, made(snapshot(21)));
      expect(wake.take()).toEqual(['attempt:attempt-a', 'order:21', 'sms-of:alice']);
      await record(21, sms(1));
      expect(wake.take()).toEqual(['order:21', 'sms-of-all', 'sms-of:alice']);
    });

    it('keeps a message of an order that has ended', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21, { status: 'EXPIRED', amount: rupiah(1) }));
      await receive(store, 21, smsEvent(21, 0));
      expect(await store.orders.find(ofAlice, order(21))).toMatchObject({
        status: 'EXPIRED',
        smsRevision: 0,
      });
      expect(known((await store.orders.messages(ofAlice, order(21), -1, 1))[0]).revision).toBe(0);
    });
  });
}
