import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { nothingAllowed, orderStatuses } from '../../src/domain/orders/order.ts';
import { instant, later, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  bought,
  draft,
  endedEvent,
  made,
  ofAlice,
  ofAll,
  ofBob,
  order,
  prepared,
  receive,
  sms,
  smsEntry,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { at, useWorld } from './support/world.ts';

export function describeOrders(create: CreateDatabase): void {
  describe('orders', () => {
    const world = useWorld(create);

    async function record(id: number, but: Parameters<typeof snapshot>[1] = {}, readAt = world().now()) {
      const recorded = await world().store.orders.record(snapshot(id, but), readAt);
      if (recorded.kind !== 'recorded') throw new Error(recorded.kind);
      return recorded;
    }

    it('keeps everything a read tells, and gives it back', async () => {
      const { store, now } = world();
      const capabilities = {
        canFinish: true,
        canResend: false,
        canCancel: true,
        canReplace: false,
        canReactivate: true,
        resendAvailableAt: at('2026-09-02T06:41:00.001Z'),
        cancelAvailableAt: null,
        replaceAvailableAt: at('1999-12-31T23:59:59Z'),
      };
      const told = {
        phoneNumber: '6281',
        amount: rupiah(Number.MAX_SAFE_INTEGER),
        operatorName: 'Operator\0\ud800\\u0041',
        otpReceivedAt: at('2026-09-02T06:40:30Z'),
        expiresAt: at('9999-12-31T23:59:59.999Z'),
        failedReason: '',
        canceledAt: at('1969-12-31T23:59:59Z'),
        createdAt: at('2026-09-02T06:39:59Z'),
        status: 'COMPLETED' as const,
      };
      const recorded = await record(-(2 ** 31), { ...told, capabilities });
      expect(recorded).toMatchObject({ news: null, changed: true, conflict: false });
      expect(recorded.order).toEqual({
        ...told,
        id: -(2 ** 31),
        owner: null,
        attemptId: null,
        reactivatedFromId: null,
        productId: 501,
        catalogProductId: null,
        operatorId: null,
        otpCode: null,
        otpMessage: null,
        smsRevision: -1,
        capabilities,
        asOf: now(),
        version: 1,
      });
      expect(await store.orders.find(ofAll, order(-(2 ** 31)))).toEqual(recorded.order);
    });

    it('shows an order to its owner and to operators', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21));
      await record(22);
      const seenBy = async (scope: typeof ofAlice | typeof ofBob | typeof ofAll) => [
        (await store.orders.byIds(scope, [order(22), order(21), order(9)])).map(({ id }) => id).sort(),
        (await store.orders.find(scope, order(21)))?.id ?? null,
        (await store.orders.changes(scope, order(21), 0)).length,
      ];
      expect(await seenBy(ofAlice)).toEqual([[21], 21, 1]);
      expect(await seenBy(ofBob)).toEqual([[], null, 0]);
      expect(await seenBy(ofAll)).toEqual([[21, 22], 21, 1]);
    });

    it('hides an order that only a webhook has told of, until a read completes it', async () => {
      const { store } = world();
      await receive(store, 21, smsEvent(21, 0));
      expect(await store.orders.find(ofAll, order(21))).toBeNull();
      expect(await store.orders.byIds(ofAll, [order(21)])).toEqual([]);
      expect(await store.orders.changes(ofAll, order(21), 0)).toEqual([]);
      expect(await store.orders.open()).toEqual([{ id: 21, hasNumber: false }]);
      await record(21, { status: 'OTP_RECEIVED' });
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({ smsRevision: 0, amount: 4_000 });
      expect((await store.orders.changes(ofAll, order(21), 0)).length).toBeGreaterThan(0);
    });

    it('opens and closes with the status, in each of them', async () => {
      const { store } = world();
      for (const [index, status] of orderStatuses.entries()) await record(index, { status });
      await record(7, { phoneNumber: ' ' });
      const open = await store.orders.open();
      expect(open).toEqual([
        { id: 0, hasNumber: true },
        { id: 1, hasNumber: true },
        { id: 7, hasNumber: false },
      ]);
      await record(0, { status: 'EXPIRED' });
      expect((await store.orders.open()).map(({ id }) => id)).toEqual([1, 7]);
    });

    it('keeps one version for each change of status or capabilities, and none for other news', async () => {
      const { store, clock } = world();
      await record(21);
      clock.pass(SECOND);
      expect((await record(21, { operatorName: 'X', expiresAt: clock.now() })).changed).toBe(false);
      clock.pass(SECOND);
      const availableAt = later(clock.now(), SECOND);
      await record(21, { capabilities: { canResend: true, resendAvailableAt: availableAt } });
      clock.pass(SECOND);
      await record(21, { ...sms(0), capabilities: nothingAllowed });
      const changes = await store.orders.changes(ofAll, order(21), 0);
      expect(changes.map(({ version, status }) => [version, status])).toEqual([
        [1, 'ACTIVE'],
        [2, 'ACTIVE'],
        [3, 'OTP_RECEIVED'],
      ]);
      expect(changes[1]?.capabilities).toEqual({
        ...nothingAllowed,
        canCancel: true,
        canResend: true,
        resendAvailableAt: availableAt,
      });
      expect(await store.orders.changes(ofAll, order(21), 2)).toEqual([changes[2]]);
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({ version: 3, ...changes[2] });
    });

    it('moves the reading on when nothing else is new', async () => {
      const { store, clock, wake } = world();
      await record(21);
      wake.take();
      clock.pass(SECOND);
      const again = await record(21);
      expect(again).toMatchObject({ changed: false, news: null });
      expect(await store.orders.find(ofAll, order(21))).toEqual(again.order);
      expect(again.order.asOf).toBe(clock.now());
      expect(wake.take()).toEqual([]);
    });

    it('lets no read that began earlier undo a later one', async () => {
      const { store, clock } = world();
      const early = clock.now();
      clock.pass(SECOND);
      await record(21, { capabilities: nothingAllowed });
      await record(21, {}, early);
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({
        capabilities: { canCancel: false },
        asOf: clock.now(),
        version: 1,
      });
    });

    it('notes a reading of many, and gives back those that it tells something of', async () => {
      const { store, clock, wake } = world();
      const capabilities = { ...nothingAllowed, canFinish: true };
      for (const id of [21, 22, 23, 24, 25]) await record(id, id === 24 ? sms(0, 'first') : {});
      const before = clock.now();
      clock.pass(SECOND);
      await store.inbox.insert(smsEntry(23, 0));
      wake.take();
      const telling = [
        snapshot(22, { capabilities }),
        snapshot(23),
        snapshot(24, sms(0, 'second')),
        snapshot(26),
        snapshot(25, sms(0)),
      ];
      expect(await store.orders.noteSeen([snapshot(21), ...telling], clock.now())).toEqual(telling);
      expect(wake.take()).toEqual([]);
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({ asOf: clock.now(), version: 1 });
      for (const id of [22, 23, 24, 25]) {
        expect(await store.orders.find(ofAll, order(id))).toMatchObject({ asOf: before, version: 1 });
      }
      expect(await store.orders.find(ofAll, order(26))).toBeNull();
    });

    it('lets no reading of many that began earlier turn the time back', async () => {
      const { store, clock } = world();
      const early = clock.now();
      clock.pass(SECOND);
      await record(21);
      await store.orders.noteSeen([snapshot(21)], early);
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({ asOf: clock.now() });
    });

    it('tells a conflict and keeps the first text', async () => {
      const { store } = world();
      await record(21, sms(0, 'first'));
      expect(await record(21, sms(0, 'second'))).toMatchObject({ conflict: true, news: null });
      expect(await store.orders.messages(ofAll, order(21), -1, 9)).toMatchObject([{ message: 'first' }]);
    });

    it('waits for the inbox to be worked off, of this order alone', async () => {
      const { store } = world();
      await store.inbox.insert(smsEntry(21, 0));
      expect(await store.orders.record(snapshot(21, sms(1)), world().now())).toEqual({ kind: 'inbox-first' });
      await record(22);
      const records = await store.inbox.pending(9, [order(21)]);
      await store.inbox.apply(records.map((one) => ({ record: one, event: smsEvent(21, 0) })));
      expect((await record(21, sms(1))).news?.revision).toBe(1);
      expect((await store.orders.messages(ofAll, order(21), -1, 9)).map(({ revision }) => revision)).toEqual([
        0, 1,
      ]);
    });

    it.each(['dead', 'rejected'])('does not wait for records that are %s', async (state) => {
      const { store, database } = world();
      await store.inbox.insert({ ...smsEntry(21, 0), rejected: state === 'rejected' });
      if (state === 'dead') await database.query(`update inbox set state = 'DEAD'`);
      expect((await record(21)).kind).toBe('recorded');
    });

    it('wakes who follows the order, the openers, and nobody else', async () => {
      const { wake } = world();
      await record(21);
      expect(wake.take()).toEqual(['open-orders', 'order:21']);
      await record(22, { status: 'EXPIRED' });
      expect(wake.take()).toEqual(['order:22']);
      world().clock.pass(SECOND);
      await record(21, { operatorName: 'named' });
      expect(wake.take()).toEqual(['order:21']);
    });

    describe('money', () => {
      const spent = async () => (await world().store.budgets.find(alice)).spent;

      it.each([
        ['expires without a message', {}, 'EXPIRED', 0],
        ['is canceled', {}, 'CANCELED', 0],
        ['is canceled after a message', sms(0), 'CANCELED', 0],
        ['expires after a message', sms(0), 'EXPIRED', 4_000],
        ['is completed', sms(0), 'COMPLETED', 4_000],
      ] as const)('gives back what is due when an order %s, once', async (_, first, status, rest) => {
        const { store, clock } = world();
        await bought(store, draft('a'), snapshot(21));
        await record(21, first);
        expect(await spent()).toBe(4_000);
        for (let again = 0; again < 3; again++) {
          clock.pass(SECOND);
          await record(21, { status });
          expect(await spent()).toBe(rest);
        }
      });

      it('gives back once when the end is told in two ways', async () => {
        const { store, clock } = world();
        await bought(store, draft('a'), snapshot(21));
        clock.pass(SECOND);
        await receive(store, 21, endedEvent(21, 'EXPIRED'));
        await record(21, { status: 'CANCELED' });
        expect(await spent()).toBe(0);
      });

      it('keeps nothing back for a message that came after the end', async () => {
        const { store, clock } = world();
        await bought(store, draft('a'), snapshot(21));
        await record(21, { status: 'EXPIRED' });
        clock.pass(SECOND);
        await record(21, sms(0));
        expect(await spent()).toBe(0);
      });

      it('gives back what was charged, though the amount be told otherwise later', async () => {
        const { store, clock } = world();
        await bought(store, draft('a'), snapshot(21));
        clock.pass(SECOND);
        await record(21, { status: 'CANCELED', amount: rupiah(9_999) });
        expect(await spent()).toBe(0);
      });

      it('books nothing for an order made elsewhere', async () => {
        const { database } = world();
        await record(21);
        await record(21, { status: 'CANCELED' });
        expect(await database.query('select * from budget_entries')).toEqual([]);
      });

      it('books an order that had ended before its create was answered', async () => {
        const { store } = world();
        const claim = await prepared(store, draft('a'));
        await receive(store, 21, endedEvent(21, 'EXPIRED'));
        await store.attempts.settle(claim, made(snapshot(21)));
        expect(await store.orders.find(ofAlice, order(21))).toMatchObject({ status: 'EXPIRED' });
        expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 0, reserved: 0 });
      });
    });

    it('names the order that cannot be read, and no value of it', async () => {
      const { store, database } = world();
      await record(21);
      await database.query(`update orders set status = 'SECRET' where id = 21`);
      await expect(store.orders.find(ofAll, order(21))).rejects.toThrow(
        /^a row of orders cannot be read: 21$/,
      );
    });

    it('takes instants of any year it can tell', async () => {
      const ends = [instant(-62_135_596_800_000), instant(253_402_300_799_999)];
      for (const [index, expiresAt] of ends.entries()) {
        expect((await record(index, { expiresAt })).order.expiresAt).toBe(expiresAt);
      }
    });
  });
}
