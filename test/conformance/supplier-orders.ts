import { describe, expect, it } from 'vitest';
import { HOUR, instant, later, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { supplierId, told } from './support/supplier-values.ts';
import { alice, bob, byAlice } from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeSupplierOrders(create: CreateDatabase): void {
  describe('supplier orders and claims', () => {
    const world = useWorld(create);
    const supplier = () => world().store.supplier;
    const LIMIT = 30 * SECOND;
    const pull = (id: string) => supplier().beginPull({ id }, LIMIT, byAlice);
    const claims = async (caller = alice) =>
      (await supplier().claimsAfter({ kind: 'own', caller }, 0, 99)).map(({ id }) => id);
    const allClaims = async (after = 0, limit = 99) =>
      (await supplier().claimsAfter({ kind: 'all' }, after, limit)).map(({ id }) => id);

    it('keeps what an answer told, and gives it back', async () => {
      const full = told('SO-1', {
        status: 'PENDING',
        paymentStatus: 'PARTIAL',
        productType: 'MANUAL',
        entityType: 'x\0\ud800',
        subCategory: '\\u0000',
        deliveredCount: 3,
        lastProcessTime: world().now(),
        externalId: 'external\0',
        externalPrice: '1.50',
        createdAt: instant(0),
      });
      const [kept] = await supplier().record([full], world().now());
      expect(kept).toMatchObject({
        ...full,
        claimedAt: null,
        claimedBy: null,
        claimSequence: null,
        completedAt: null,
        asOf: world().now(),
      });
      expect(await supplier().find(full.id)).toEqual(kept);
      expect(await supplier().byIds([full.id, supplierId('SO-2')])).toEqual([kept]);
      expect(await supplier().find(supplierId('SO-2'))).toBeNull();
    });

    it('answers in the order asked, also where an order is named twice', async () => {
      const kept = await supplier().record(
        [told('b'), told('a'), told('b', { deliveredCount: 4 })],
        world().now(),
      );
      expect(kept.map(({ id }) => id)).toEqual(['b', 'a', 'b']);
      expect(await supplier().find(supplierId('b'))).toMatchObject({ deliveredCount: 4 });
      expect(await supplier().record([], world().now())).toEqual([]);
    });

    it('never lowers a count, leads out of completed, or takes an older read for a newer', async () => {
      const { clock, now } = world();
      const before = now();
      clock.pass(SECOND);
      await supplier().record([told('a', { status: 'COMPLETED', deliveredCount: 9 })], now());
      await supplier().record([told('a', { deliveredCount: 2, quantity: 1 })], before);
      expect(await supplier().find(supplierId('a'))).toMatchObject({
        status: 'COMPLETED',
        deliveredCount: 9,
        quantity: 10,
        completedAt: now(),
        asOf: now(),
      });
      clock.pass(SECOND);
      await supplier().record([told('a', { status: 'REFUNDED' })], now());
      expect(await supplier().find(supplierId('a'))).toMatchObject({ status: 'REFUNDED' });
    });

    it('wakes who looks at an order', async () => {
      world().wake.take();
      await supplier().record([told('b'), told('a')], world().now());
      expect(world().wake.take()).toEqual(['supplier-order:a', 'supplier-order:b']);
    });

    it('writes claims down with rising numbers, once each, and ends the pull', async () => {
      await pull('p1');
      world().wake.take();
      const claimed = await supplier().endPull({ id: 'p1' }, alice, [
        told('a'),
        told('b', { status: 'PENDING' }),
      ]);
      expect(claimed).toMatchObject([
        { id: 'a', claimedBy: alice, claimedAt: world().now(), status: 'PROCESSING' },
        { id: 'b', claimedBy: alice, claimedAt: world().now(), status: 'PROCESSING' },
      ]);
      const [first, second] = claimed.map(({ claimSequence }) => known(claimSequence));
      expect(known(second)).toBeGreaterThan(known(first));
      expect(await supplier().lastClaimSequence()).toBe(second);
      expect(world().wake.take()).toEqual(['supplier-claims', 'supplier-order:a', 'supplier-order:b']);
      await pull('p2');
      expect(await supplier().endPull({ id: 'p2' }, bob, [told('a'), told('c')])).toMatchObject([
        { id: 'c', claimedBy: bob },
      ]);
      expect(await supplier().find(supplierId('a'))).toMatchObject({ claimedBy: alice });
    });

    it('shows a caller its own claims and the puller’s, and an operator all', async () => {
      expect(await supplier().lastClaimSequence()).toBe(0);
      for (const [name, owner] of [
        ['a', alice],
        ['b', bob],
        ['c', null],
      ] as const) {
        await supplier().beginPull({ id: name }, LIMIT, null);
        await supplier().endPull({ id: name }, owner, [told(name)]);
      }
      expect(await claims()).toEqual(['a', 'c']);
      expect(await claims(bob)).toEqual(['b', 'c']);
      expect(await allClaims()).toEqual(['a', 'b', 'c']);
      expect(await allClaims(0, 2)).toEqual(['a', 'b']);
      const second = known((await supplier().find(supplierId('b')))?.claimSequence);
      expect(await allClaims(second)).toEqual(['c']);
    });

    it('claims an order found in processing that no claim was written down of', async () => {
      await supplier().record([told('known')], world().now());
      const found = await supplier().adoptFound(
        [told('a'), told('known'), told('idle', { status: 'PENDING' })],
        world().now(),
      );
      expect(found.again).toBeNull();
      expect(found.adopted.map(({ id, claimedBy }) => [id, claimedBy])).toEqual([
        ['a', null],
        ['known', null],
      ]);
      expect((await supplier().adoptFound([told('a')], world().now())).adopted).toEqual([]);
      expect(await allClaims()).toEqual(['a', 'known']);
    });

    it('takes what a look told that began before a lease for older than the lease', async () => {
      const { clock, now } = world();
      await supplier().record([told('a')], now());
      const begun = now();
      clock.pass(SECOND);
      const leased = now();
      await supplier().setLease(supplierId('a'), leased, true, byAlice);
      clock.pass(SECOND);
      await supplier().adoptFound([told('a', { lastProcessTime: null })], begun);
      expect(await supplier().find(supplierId('a'))).toMatchObject({ lastProcessTime: leased });
    });

    it('leaves a found order to a pull that may hold it, until its time limit has passed', async () => {
      const { clock, now } = world();
      await pull('p1');
      const limit = later(now(), LIMIT);
      clock.pass(SECOND);
      expect(await supplier().adoptFound([told('a')], world().now())).toEqual({ adopted: [], again: limit });
      clock.pass(LIMIT);
      expect((await supplier().adoptFound([told('a')], world().now())).adopted).toMatchObject([{ id: 'a' }]);
    });

    it('waits for no pull that was begun after the order was seen in processing', async () => {
      await supplier().record([told('a')], world().now());
      world().clock.pass(SECOND);
      await pull('p1');
      expect(await supplier().adoptFound([told('a')], world().now())).toMatchObject({
        adopted: [{ id: 'a' }],
        again: null,
      });
    });

    it('names the latest limit where several pulls may hold orders', async () => {
      const { clock, now } = world();
      await pull('p1');
      clock.pass(SECOND);
      await pull('p2');
      clock.pass(SECOND);
      expect(await supplier().adoptFound([told('a'), told('b')], world().now())).toEqual({
        adopted: [],
        again: later(now(), LIMIT - SECOND),
      });
      await supplier().endPull({ id: 'p2' }, alice, []);
      expect((await supplier().adoptFound([told('a')], world().now())).again).toBe(
        later(now(), LIMIT - 2 * SECOND),
      );
    });

    it('gives an order to one of a pull and a recovery that name it at once, over two instances', async () => {
      const other = (await world().another()).store.supplier;
      const names = Array.from({ length: 8 }, (_, index) => `o-${index}`);
      await pull('p1');
      const [claimed, found] = await Promise.all([
        supplier().endPull(
          { id: 'p1' },
          alice,
          names.map((name) => told(name)),
        ),
        other.adoptFound(
          names.toReversed().map((name) => told(name)),
          world().now(),
        ),
      ]);
      expect([...claimed, ...found.adopted].map(({ id }) => id).sort()).toEqual(names);
      const kept = await supplier().claimsAfter({ kind: 'all' }, 0, 99);
      expect(new Set(kept.map(({ claimSequence }) => claimSequence)).size).toBe(names.length);
    });

    it('keeps a lease, and lists those to be renewed, the oldest first', async () => {
      const { clock, now } = world();
      await pull('p1');
      await supplier().endPull(
        { id: 'p1' },
        alice,
        ['a', 'b', 'c', 'd'].map((name) => told(name)),
      );
      const at = now();
      expect(await supplier().setLease(supplierId('nobody'), at, true, null)).toBeNull();
      await supplier().setLease(supplierId('b'), at, true, byAlice);
      expect(await supplier().setLease(supplierId('a'), later(at, 1), true, byAlice)).toMatchObject({
        lastProcessTime: later(at, 1),
      });
      await supplier().setLease(supplierId('c'), at, false, null);
      await supplier().setLease(supplierId('d'), at, true, null);
      await supplier().setLease(supplierId('d'), null, false, byAlice);
      expect(await supplier().find(supplierId('d'))).toMatchObject({ lastProcessTime: null });
      clock.pass(MINUTE);
      const toRenew = async (before = now(), limit = 9) =>
        (await supplier().leasesToRenew(before, limit)).map(({ id }) => id);
      expect(await toRenew()).toEqual(['b', 'a']);
      expect(await toRenew(now(), 1)).toEqual(['b']);
      expect(await toRenew(later(at, 1))).toEqual(['b']);
      await supplier().record([told('b', { status: 'COMPLETED', lastProcessTime: at })], now());
      expect(await toRenew()).toEqual(['a']);
      // Of a status that is not known nobody can say that the work is over.
      await supplier().record([told('a', { status: 'UNKNOWN', lastProcessTime: at })], now());
      expect(await toRenew()).toEqual(['a']);
    });

    it('tells how long claims took to be completed', async () => {
      const { clock, now } = world();
      const since = now();
      await pull('p1');
      await supplier().endPull({ id: 'p1' }, alice, [told('a'), told('b')]);
      clock.pass(HOUR);
      await supplier().record([told('a', { status: 'COMPLETED' })], now());
      expect(await supplier().completionTimes(since)).toEqual({ claimed: 2, seconds: [3_600] });
      expect(await supplier().completionTimes(later(since, 1))).toEqual({ claimed: 0, seconds: [] });
    });
  });
}
