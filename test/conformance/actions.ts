import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { later, SECOND } from '../../src/domain/time.ts';
import type { ActionRecord } from '../../src/ports/store/orders.ts';
import type { CreateDatabase } from './support/database.ts';
import { alice, bought, byAlice, draft, order, snapshot } from './support/values.ts';
import { useWorld } from './support/world.ts';

const LEASE = 120 * SECOND;

export function describeActions(create: CreateDatabase): void {
  describe('actions', () => {
    const world = useWorld(create);
    const id = order(21);

    function receipt(refundAmount: number): ActionRecord {
      return {
        kind: 'receipt',
        refund: { refundAmount: rupiah(refundAmount), newBalance: rupiah(9) },
        resend: null,
      };
    }

    it.each<ActionRecord>([
      receipt(0),
      { kind: 'receipt', refund: null, resend: null },
      { kind: 'receipt', refund: null, resend: { resent: true, afterRevision: -1 } },
      { kind: 'receipt', refund: null, resend: { resent: false, afterRevision: 2 ** 53 - 1 } },
      { kind: 'rejected', httpStatus: 409, code: 'CANCEL_TOO_EARLY' },
      { kind: 'confirmed' },
      { kind: 'skipped' },
      { kind: 'ambiguous', latestStatus: null },
      { kind: 'ambiguous', latestStatus: 'OTP_RECEIVED' },
    ])('keeps an outcome for those who waited: %j', async (outcome) => {
      const { actions } = world().store;
      expect(await actions.begin(id, 'RESEND', 'a', LEASE, byAlice)).toEqual({ kind: 'claimed', token: 'a' });
      expect(await actions.outcome(id, 'RESEND')).toBeNull();
      await actions.end(id, 'RESEND', 'a', outcome);
      expect(await actions.outcome(id, 'RESEND')).toEqual(outcome);
    });

    it('is done by one at a time, for each order and kind of action', async () => {
      const { store, now } = world();
      await store.actions.begin(id, 'CANCEL', 'a', LEASE, byAlice);
      world().clock.pass(LEASE - 1);
      const until = later(now(), 1);
      expect(await store.actions.begin(id, 'CANCEL', 'b', LEASE, byAlice)).toEqual({
        kind: 'running',
        until,
      });
      expect((await store.actions.begin(id, 'FINISH', 'b', LEASE, byAlice)).kind).toBe('claimed');
      expect((await store.actions.begin(order(22), 'CANCEL', 'b', LEASE, byAlice)).kind).toBe('claimed');
      expect(await store.actions.outcome(id, 'CANCEL')).toBeNull();
    });

    it('may be begun again once it has ended, and has no outcome then', async () => {
      const { actions } = world().store;
      await actions.begin(id, 'CANCEL', 'a', LEASE, byAlice);
      await actions.end(id, 'CANCEL', 'a', { kind: 'rejected', httpStatus: 409, code: 'CONFLICT' });
      expect((await actions.begin(id, 'CANCEL', 'b', LEASE, byAlice)).kind).toBe('claimed');
      expect(await actions.outcome(id, 'CANCEL')).toBeNull();
    });

    it('is taken over from an asker that died, whose late outcome then counts for nothing', async () => {
      const { store, clock, wake } = world();
      await store.actions.begin(id, 'CANCEL', 'a', LEASE, byAlice);
      clock.pass(LEASE);
      expect(await store.actions.begin(id, 'CANCEL', 'b', LEASE, byAlice)).toEqual({
        kind: 'claimed',
        token: 'b',
      });
      wake.take();
      await store.actions.end(id, 'CANCEL', 'a', { kind: 'skipped' });
      expect(await store.actions.outcome(id, 'CANCEL')).toBeNull();
      expect(wake.take()).toEqual([]);
      await store.actions.end(id, 'CANCEL', 'b', { kind: 'confirmed' });
      await store.actions.end(id, 'CANCEL', 'b', { kind: 'skipped' });
      expect(await store.actions.outcome(id, 'CANCEL')).toEqual({ kind: 'confirmed' });
    });

    it('takes an outcome after its lease has run out while nobody has taken over', async () => {
      const { store, clock } = world();
      await store.actions.begin(id, 'CANCEL', 'a', LEASE, byAlice);
      clock.pass(2 * LEASE);
      await store.actions.end(id, 'CANCEL', 'a', { kind: 'confirmed' });
      expect(await store.actions.outcome(id, 'CANCEL')).toEqual({ kind: 'confirmed' });
    });

    it('has one asker of many, over two instances', async () => {
      const { store } = world();
      const other = (await world().another()).store;
      const askers = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? store : other).actions.begin(id, 'CANCEL', `asker-${index}`, LEASE, byAlice),
      );
      const claims = await Promise.all(askers);
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    });

    it('wakes those who wait for the outcome', async () => {
      const { store, wake } = world();
      await store.actions.begin(id, 'CANCEL', 'a', LEASE, byAlice);
      expect(wake.take()).toEqual([]);
      await store.actions.end(id, 'CANCEL', 'a', { kind: 'skipped' });
      expect(wake.take()).toEqual(['order:21']);
    });

    describe('refunds', () => {
      const spent = async () => (await world().store.budgets.find(alice)).spent;

      async function cancel(outcome: ActionRecord, token = 'a') {
        await world().store.actions.begin(id, 'CANCEL', token, LEASE, byAlice);
        await world().store.actions.end(id, 'CANCEL', token, outcome);
      }
      async function ends() {
        world().clock.pass(SECOND);
        await world().store.orders.record(snapshot(21, { status: 'CANCELED' }), world().now());
      }

      it.each([
        ['before', async () => undefined, ends],
        ['after', ends, async () => undefined],
      ])('come from the receipt alone when it comes %s the end is read', async (_, before, after) => {
        await bought(world().store, draft('a'), snapshot(21));
        await before();
        await cancel(receipt(3_000));
        await after();
        expect(await spent()).toBe(1_000);
        await cancel(receipt(3_000), 'b');
        await ends();
        expect(await spent()).toBe(1_000);
      });

      it('count when the receipt gives nothing back, too', async () => {
        await bought(world().store, draft('a'), snapshot(21));
        await cancel(receipt(0));
        await ends();
        expect(await spent()).toBe(4_000);
      });

      it('count though the asker had lost its lease to another', async () => {
        const { store, clock } = world();
        await bought(store, draft('a'), snapshot(21));
        await store.actions.begin(id, 'CANCEL', 'a', LEASE, byAlice);
        clock.pass(LEASE);
        await store.actions.begin(id, 'CANCEL', 'b', LEASE, byAlice);
        await store.actions.end(id, 'CANCEL', 'a', receipt(4_000));
        expect(await spent()).toBe(0);
      });

      it('are nobody’s for an order made elsewhere', async () => {
        const { store, database } = world();
        await store.orders.record(snapshot(21), world().now());
        await cancel(receipt(4_000));
        expect(await database.query('select * from budget_entries')).toEqual([]);
      });
    });
  });
}
