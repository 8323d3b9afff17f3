import { describe, expect, it } from 'vitest';
import { parseDeliveryId, parseSupplierOrderId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import { DAY, instant, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  bought,
  byAlice,
  draft,
  endedEvent,
  job,
  made,
  ofAll,
  order,
  prepared,
  receive,
  sms,
  smsEntry,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeRetention(create: CreateDatabase): void {
  describe('retention', () => {
    const world = useWorld(create);
    const count = async (table: string): Promise<number> =>
      (await world().database.query(`select * from ${table}`)).length;

    async function anEndedOrder(id: number): Promise<void> {
      const { store } = world();
      await bought(store, draft(`of-${id}`), snapshot(id, { phoneNumber: '+62811' }));
      await receive(store, id, smsEvent(id, 0));
      await receive(store, id, endedEvent(id, 'COMPLETED'));
    }

    it('erases text, code and number of what ended long enough ago, with what brought them', async () => {
      const { store, clock } = world();
      await anEndedOrder(21);
      clock.pass(DAY);
      await bought(store, draft('open'), snapshot(22, { phoneNumber: '+62812', ...sms(0) }));
      await anEndedOrder(23);
      expect(await store.retention.erase(clock.now(), 10)).toBe(1);
      expect(await store.orders.find(ofAll, order(21))).toMatchObject({
        status: 'COMPLETED',
        phoneNumber: null,
        otpMessage: null,
        otpCode: null,
        smsRevision: 0,
      });
      expect(await store.orders.messages(ofAll, order(21), -1, 9)).toEqual([]);
      for (const id of [22, 23]) {
        expect(await store.orders.messages(ofAll, order(id), -1, 9)).toHaveLength(1);
        expect((await store.orders.find(ofAll, order(id)))?.phoneNumber).toMatch(/^\+6281/);
      }
      expect(await count('inbox')).toBe(2);
    });

    it('keeps money and counts', async () => {
      const { store, clock } = world();
      await anEndedOrder(21);
      const since = clock.now();
      const before = await store.budgets.find(alice);
      const counts = await store.statistics.orders(ofAll, since, 'PRODUCT');
      clock.pass(DAY);
      await store.retention.erase(clock.now(), 10);
      expect(await store.budgets.find(alice)).toEqual(before);
      expect(before.spent).toBeGreaterThan(rupiah(0));
      expect(await store.statistics.orders(ofAll, since, 'PRODUCT')).toEqual(counts);
      expect(counts).toMatchObject([{ orders: 1, received: 1 }]);
    });

    it('goes on in parts, and says when nothing is left', async () => {
      const { store, clock } = world();
      for (const id of [21, 22, 23]) await anEndedOrder(id);
      clock.pass(DAY);
      const erased: number[] = [];
      for (let turn = 0; turn < 3; turn++) erased.push(await store.retention.erase(clock.now(), 2));
      expect(erased).toEqual([2, 1, 0]);
    });

    it('leaves a webhook that is still to be worked off', async () => {
      const { store, clock } = world();
      await anEndedOrder(21);
      await store.inbox.insert(smsEntry(21, 1));
      clock.pass(DAY);
      await store.retention.erase(clock.now(), 10);
      expect(await store.inbox.pending(9)).toHaveLength(1);
    });

    it('erases webhooks of no order by their own age', async () => {
      const { store, clock } = world();
      const body = new TextEncoder().encode('no object');
      const entry = { dedupeKey: 'rejected', event: 'rejected', orderId: null, revision: null, body };
      await store.inbox.insert({ ...entry, rejected: true });
      expect(await store.retention.erase(world().now(), 10)).toBe(0);
      clock.pass(SECOND);
      expect(await store.retention.erase(clock.now(), 10)).toBe(1);
      expect(await count('inbox')).toBe(0);
    });

    it('erases answers that came too late, once their attempt waits for nobody', async () => {
      const { store, clock } = world();
      const lost = await prepared(store, draft('a'));
      clock.pass(MINUTE);
      const taken = await store.attempts.take(lost.attemptId, 'other');
      expect((await store.attempts.settle(lost, made(snapshot(21, sms(0))))).kind).toBe('claim-lost');
      clock.pass(DAY);
      // Whoever reviews it has to see what came.
      expect(await store.retention.erase(clock.now(), 10)).toBe(0);
      expect(await count('attempt_evidence')).toBe(1);
      if (taken.kind !== 'claimed') throw new Error('the attempt was not taken');
      await store.attempts.settle(taken.claim, { kind: 'transport' });
      clock.pass(DAY);
      await store.attempts.take(lost.attemptId, 'third');
      await store.attempts.close(alice, job('job-a'), { orderIds: [], note: 'x' }, byAlice);
      expect(await store.retention.erase(clock.now(), 10)).toBe(1);
      expect(await count('attempt_evidence')).toBe(0);
    });

    describe('of supplier orders', () => {
      const told = (name: string, status: 'PROCESSING' | 'REFUNDED' | 'ERROR') => ({
        id: known(parseSupplierOrderId(name)),
        quantity: 2,
        status,
        paymentStatus: null,
        productType: null,
        entityType: null,
        subCategory: null,
        deliveredCount: null,
        lastProcessTime: null,
        externalId: null,
        externalPrice: null,
        createdAt: null,
      });

      async function deliver(name: string, status: 'COMPLETED' | 'PARTIAL'): Promise<void> {
        const { store, clock } = world();
        const orderId = known(parseSupplierOrderId(name));
        await store.supplier.record([told(name, 'PROCESSING')], clock.now());
        const id = known(parseDeliveryId(`delivery-${name}`));
        const wish = {
          id,
          orderId,
          caller: alice,
          endpoint: '/orders-update',
          body: '{"accounts":["a:secret"]}',
          lines: 1,
          status,
          externalId: null,
          externalPrice: null,
        };
        const { version } = await store.supplier.deliveredLines(orderId);
        await store.supplier.prepareDelivery(wish, version, 't', byAlice);
        await store.supplier.settleDelivery(id, 't', { kind: 'accepted' });
      }

      const linesOf = async (name: string): Promise<readonly string[]> =>
        (await world().store.supplier.deliveredLines(known(parseSupplierOrderId(name)))).lines;

      it('erases delivered lines of completed supplier orders, and nothing of open ones', async () => {
        const { store, clock } = world();
        await deliver('full', 'COMPLETED');
        await deliver('open', 'PARTIAL');
        clock.pass(DAY);
        expect(await store.retention.erase(clock.now(), 10)).toBe(1);
        expect(await linesOf('full')).toEqual([]);
        expect(await linesOf('open')).toEqual(['a:secret']);
      });

      it.each(['REFUNDED', 'ERROR'] as const)(
        'erases those of %s ones that were never completed',
        async (end) => {
          const { store, clock } = world();
          await deliver('given-up', 'PARTIAL');
          clock.pass(SECOND);
          await store.supplier.record([told('given-up', end)], clock.now());
          clock.pass(SECOND);
          // Its last line is not older than that.
          expect(await store.retention.erase(instant(clock.now() - MINUTE), 10)).toBe(0);
          expect(await linesOf('given-up')).toEqual(['a:secret']);
          // It is told of anew each time that it is listed: that keeps nothing.
          clock.pass(DAY);
          await store.supplier.record([told('given-up', end)], clock.now());
          expect(await store.retention.erase(instant(clock.now() - MINUTE), 10)).toBe(1);
          expect(await linesOf('given-up')).toEqual([]);
          expect(await store.retention.erase(clock.now(), 10)).toBe(0);
        },
      );
    });
  });
}
