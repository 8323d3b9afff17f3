import { describe, expect, it } from 'vitest';
import { DELIVERY_DEADLINE, DELIVERY_LEASE, RESEND_AFTER } from '../../src/domain/supplier/delivery.ts';
import { later, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { begun, delivery, deliveryId, supplierId, told } from './support/supplier-values.ts';
import { alice, byAlice } from './support/values.ts';
import { useWorld } from './support/world.ts';

export function describeDeliveries(create: CreateDatabase): void {
  describe('supplier deliveries', () => {
    const world = useWorld(create);
    const supplier = () => world().store.supplier;
    const order = supplierId('SO');
    const id = deliveryId('d');
    const listed = (but = {}) => supplier().record([told('SO', but)], world().now());
    const unclear = { kind: 'unclear', why: 'no answer\0' } as const;

    it('stores one claimed for its first send, and gives it back', async () => {
      await listed({ deliveredCount: 3 });
      world().wake.take();
      const body = '{"accounts":["name:pass\\u0000😀","b"]}';
      const wish = delivery('d', 'SO', { body, externalId: 'x\0', externalPrice: '1.5' });
      const { version } = await supplier().deliveredLines(order);
      const prepared = await supplier().prepareDelivery(wish, version, 'token', byAlice);
      const now = world().now();
      expect(prepared).toMatchObject({
        kind: 'fresh',
        token: 'token',
        delivery: {
          id,
          orderId: order,
          caller: alice,
          state: 'PENDING',
          body,
          lines: 2,
          countedBefore: 3,
          attempts: 1,
          lastError: null,
          rejection: null,
          createdAt: now,
          settledAt: null,
          deadlineAt: later(now, DELIVERY_DEADLINE),
          nextAttemptAt: null,
        },
      });
      if (prepared.kind !== 'fresh') throw new Error(prepared.kind);
      expect(await supplier().delivery(id)).toEqual(prepared.delivery);
      expect(await supplier().deliveries([order, supplierId('none')])).toEqual([prepared.delivery]);
      expect(await supplier().delivery(deliveryId('none'))).toBeNull();
      expect(world().wake.take()).toEqual(['deliveries-due', 'supplier-order:SO']);
    });

    it('keeps neither body nor lines readable', async () => {
      await listed();
      await begun(supplier(), delivery('d', 'SO', { body: '{"accounts":["plain-secret"]}' }));
      const rows = await world().database.query('select * from supplier_deliveries');
      for (const value of Object.values(rows[0] ?? {})) {
        const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
        expect(text).not.toContain('plain-secret');
      }
    });

    it('has one pending on an order at a time', async () => {
      await listed();
      const first = await begun(supplier(), delivery('d', 'SO'));
      const { version } = await supplier().deliveredLines(order);
      const second = await supplier().prepareDelivery(delivery('e', 'SO'), version, 'other', byAlice);
      expect(second).toEqual({ kind: 'pending', delivery: first });
      expect(await supplier().delivery(deliveryId('e'))).toBeNull();
    });

    it('refuses one whose plan was made from other lines, or of an order never seen', async () => {
      await listed();
      const { version } = await supplier().deliveredLines(order);
      await listed({ deliveredCount: 1 });
      const late = await supplier().prepareDelivery(delivery('d', 'SO'), version, 't', byAlice);
      expect(late).toEqual({ kind: 'outdated' });
      const nobodys = await supplier().prepareDelivery(delivery('d', 'none'), 0, 't', byAlice);
      expect(nobodys).toEqual({ kind: 'outdated' });
    });

    it('is prepared once, whoever asks, over two instances', async () => {
      await listed();
      const other = (await world().another()).store.supplier;
      const { version } = await supplier().deliveredLines(order);
      const asked = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? supplier() : other).prepareDelivery(
          delivery(`d-${index}`, 'SO'),
          version,
          `token-${index}`,
          byAlice,
        ),
      );
      const results = await Promise.all(asked);
      expect(results.filter(({ kind }) => kind === 'fresh')).toHaveLength(1);
      expect(await supplier().deliveries([order])).toHaveLength(1);
    });

    it('counts accepted lines on its order once, beside what a list has counted already', async () => {
      await listed({ deliveredCount: 3 });
      await begun(supplier(), delivery('d', 'SO', { externalId: 'ext' }));
      await listed({ deliveredCount: 5 });
      const settled = await supplier().settleDelivery(id, 'token', { kind: 'accepted' });
      expect(settled).toMatchObject({ state: 'ACCEPTED', settledAt: world().now(), lastError: null });
      expect(await supplier().settleDelivery(id, 'token', { kind: 'accepted' })).toEqual(settled);
      expect(await supplier().find(order)).toMatchObject({
        deliveredCount: 5,
        status: 'PROCESSING',
        externalId: 'ext',
      });
      const delivered = await supplier().deliveredLines(order);
      expect(delivered).toMatchObject({ lines: ['d:1', 'd:2'], order: { deliveredCount: 5 } });
      const none = { order: null, lines: [], version: 0 };
      expect(await supplier().deliveredLines(supplierId('none'))).toEqual(none);
    });

    it('completes its order, and leaves it completed', async () => {
      await listed();
      await begun(supplier(), delivery('d', 'SO', { status: 'COMPLETED' }));
      await supplier().settleDelivery(id, 'token', { kind: 'accepted' });
      expect(await supplier().find(order)).toMatchObject({
        status: 'COMPLETED',
        deliveredCount: 2,
        completedAt: world().now(),
      });
      expect(await supplier().nextDeliveryDueAt()).toBeNull();
    });

    it('moves the version of its lines on, so that older plans are refused', async () => {
      await listed();
      const before = await supplier().deliveredLines(order);
      await begun(supplier(), delivery('d', 'SO'));
      await supplier().settleDelivery(id, 'token', { kind: 'accepted' });
      const after = await supplier().deliveredLines(order);
      expect(after.version).toBeGreaterThan(before.version);
      const late = await supplier().prepareDelivery(delivery('e', 'SO'), before.version, 't', byAlice);
      expect(late).toEqual({ kind: 'outdated' });
      await begun(supplier(), delivery('e', 'SO'));
    });

    it('is over when it is refused, and counts nothing', async () => {
      await listed();
      await begun(supplier(), delivery('d', 'SO'));
      const message = 'no\0';
      const refused = { kind: 'refused', code: 'ACCESS_DENIED', message } as const;
      expect(await supplier().settleDelivery(id, 'token', refused)).toMatchObject({
        state: 'REJECTED',
        rejection: { code: 'ACCESS_DENIED', message },
      });
      expect(await supplier().find(order)).toMatchObject({ deliveredCount: 0 });
      expect(await supplier().dueDeliveries(9)).toEqual([]);
      await begun(supplier(), delivery('e', 'SO'));
    });

    it('is sent again after an unclear end, by one that takes it', async () => {
      const { clock, now } = world();
      await listed();
      await begun(supplier(), delivery('d', 'SO'));
      const waiting = await supplier().settleDelivery(id, 'token', unclear);
      expect(waiting).toMatchObject({ state: 'PENDING', lastError: unclear.why });
      const due = later(now(), RESEND_AFTER);
      expect(await supplier().nextDeliveryDueAt()).toBe(due);
      expect(await supplier().takeDelivery(id, 'second')).toEqual({ kind: 'not-sent', delivery: waiting });
      clock.pass(RESEND_AFTER);
      expect(await supplier().dueDeliveries(9)).toEqual([id]);
      expect(await supplier().takeDelivery(id, 'second')).toMatchObject({
        kind: 'claimed',
        token: 'second',
        delivery: { attempts: 2, nextAttemptAt: null },
      });
      expect(await supplier().settleDelivery(id, 'token', { kind: 'accepted' })).toMatchObject({
        state: 'PENDING',
      });
      expect(await supplier().settleDelivery(id, 'second', { kind: 'accepted' })).toMatchObject({
        state: 'ACCEPTED',
      });
    });

    it('is taken over from a sender that died', async () => {
      const { clock } = world();
      await listed();
      await begun(supplier(), delivery('d', 'SO'));
      clock.pass(DELIVERY_LEASE - 1);
      expect((await supplier().takeDelivery(id, 'second')).kind).toBe('not-sent');
      expect(await supplier().dueDeliveries(9)).toEqual([]);
      clock.pass(1);
      expect(await supplier().dueDeliveries(9)).toEqual([id]);
      expect((await supplier().takeDelivery(id, 'second')).kind).toBe('claimed');
    });

    it('expires when its deadline has passed', async () => {
      const { clock } = world();
      await listed();
      await begun(supplier(), delivery('d', 'SO'));
      clock.pass(DELIVERY_DEADLINE);
      expect(await supplier().takeDelivery(id, 'second')).toMatchObject({
        kind: 'not-sent',
        delivery: { state: 'EXPIRED', settledAt: world().now() },
      });
      expect(await supplier().nextDeliveryDueAt()).toBeNull();
    });

    it('that expired has stored its lines where a list counted them before anything else was sent', async () => {
      const expire = async (name: string) => {
        world().clock.pass(DELIVERY_DEADLINE);
        expect((await supplier().takeDelivery(deliveryId(name), 'late')).delivery.state).toBe('EXPIRED');
      };
      const lines = async () => (await supplier().deliveredLines(order)).lines;
      await listed();
      await begun(supplier(), delivery('d', 'SO'));
      await expire('d');
      expect(await lines()).toEqual([]);
      await listed({ deliveredCount: 2 });
      expect(await lines()).toEqual(['d:1', 'd:2']);
      await begun(supplier(), delivery('e', 'SO'));
      await expire('e');
      await begun(supplier(), delivery('f', 'SO'));
      await supplier().settleDelivery(deliveryId('f'), 'token', { kind: 'accepted' });
      // Two more are counted, and they are those of f.
      expect(await lines()).toEqual(['d:1', 'd:2', 'f:1', 'f:2']);
    });

    it('is taken by one of many, over two instances', async () => {
      const other = (await world().another()).store.supplier;
      await listed();
      await begun(supplier(), delivery('d', 'SO'));
      world().clock.pass(DELIVERY_LEASE);
      const takers = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? supplier() : other).takeDelivery(id, `taker-${index}`),
      );
      const taken = (await Promise.all(takers)).filter(({ kind }) => kind === 'claimed');
      expect(taken).toHaveLength(1);
    });

    it('lists what is due, oldest first, no more than asked for', async () => {
      const { clock } = world();
      for (const name of ['a', 'b', 'c']) {
        await supplier().record([told(name)], clock.now());
        await begun(supplier(), delivery(`d-${name}`, name));
        clock.pass(SECOND);
      }
      clock.pass(DELIVERY_LEASE);
      expect(await supplier().dueDeliveries(9)).toEqual(['d-a', 'd-b', 'd-c']);
      expect(await supplier().dueDeliveries(2)).toEqual(['d-a', 'd-b']);
    });

    it('fails for a delivery that is not there', async () => {
      await expect(supplier().takeDelivery(deliveryId('nobody'), 't')).rejects.toThrow(/nobody/);
      await expect(supplier().settleDelivery(deliveryId('nobody'), 't', unclear)).rejects.toThrow(/nobody/);
    });
  });
}
