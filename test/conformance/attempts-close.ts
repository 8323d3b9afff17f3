import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { instant, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  attemptId,
  bob,
  bought,
  byAlice,
  draft,
  job,
  ofAlice,
  order,
  prepared,
  reactivation,
  receive,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { useWorld } from './support/world.ts';

export function describeClosing(create: CreateDatabase): void {
  describe('attempts: closing a review', () => {
    const world = useWorld(create);
    const id = attemptId('attempt-a');

    async function held(wish = draft('a')) {
      const { store, now } = world();
      const reviewThresholdAt = instant(now() - SECOND);
      const { attempt } = await heldResult(
        store.attempts.prepare({ ...wish, reviewThresholdAt }, 't', byAlice),
      );
      return attempt;
    }

    async function heldResult(result: ReturnType<ReturnType<typeof world>['store']['attempts']['prepare']>) {
      const prepared = await result;
      if (prepared.kind !== 'fresh') throw new Error(`the attempt is ${prepared.kind}`);
      return prepared;
    }

    it('closes with nothing bought, and frees the reserve', async () => {
      const { store, wake, now } = world();
      await held();
      wake.take();
      const closing = await store.attempts.close(
        alice,
        job('job-a'),
        {
          orderIds: [],
          note: 'nothing\0there',
        },
        byAlice,
      );
      expect(closing).toMatchObject({
        kind: 'closed',
        orders: [],
        attempt: { state: 'CLOSED', reserved: 0 },
      });
      expect(await store.attempts.events(id, 2)).toEqual([
        {
          version: 3,
          state: 'CLOSED',
          reason: null,
          httpStatus: null,
          errorCode: null,
          note: 'nothing\0there',
          sends: 0,
          nextAttemptAt: null,
          at: now(),
        },
      ]);
      expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 0, reserved: 0 });
      expect(wake.take()).toEqual(['attempt:attempt-a']);
    });

    it('adopts the orders named with what they cost', async () => {
      const { store, wake } = world();
      await held(reactivation('a', order(20)));
      await store.orders.record(snapshot(21), world().now());
      await store.orders.record(snapshot(22, { amount: rupiah(700) }), world().now());
      wake.take();
      const closing = await store.attempts.close(
        alice,
        job('job-a'),
        {
          orderIds: [order(22), order(21), order(22)],
          note: 'found',
        },
        byAlice,
      );
      if (closing.kind !== 'closed') throw new Error(`it is ${closing.kind}`);
      expect(closing.orders.map(({ id: one, version }) => [one, version])).toEqual([
        [21, 1],
        [22, 1],
      ]);
      expect(await store.orders.find(ofAlice, order(21))).toMatchObject({
        owner: alice,
        attemptId: id,
        reactivatedFromId: 20,
      });
      expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 4_700, reserved: 0 });
      expect(wake.take()).toEqual(['attempt:attempt-a', 'order:21', 'order:22']);
    });

    it('books an order that has ended meanwhile as paid and given back', async () => {
      const { store, database } = world();
      await held();
      await store.orders.record(snapshot(21, { status: 'CANCELED' }), world().now());
      await store.attempts.close(alice, job('job-a'), { orderIds: [order(21)], note: '' }, byAlice);
      expect(await store.budgets.find(alice)).toEqual({ limit: null, spent: 0, reserved: 0 });
      const lines = await database.query('select kind, amount from budget_entries order by id');
      expect(lines.map(({ kind, amount }) => [kind, Number(amount)])).toEqual([
        ['RESERVED', 5_000],
        ['FREED', 5_000],
        ['SPENT', 4_000],
        ['REFUNDED', 4_000],
      ]);
    });

    it('knows no such job of this caller', async () => {
      const { store } = world();
      await held();
      const nothing = { orderIds: [], note: '' };
      expect(await store.attempts.close(alice, job('job-b'), nothing, byAlice)).toEqual({
        kind: 'not-found',
      });
      expect(await store.attempts.close(bob, job('job-a'), nothing, byAlice)).toEqual({ kind: 'not-found' });
    });

    it('closes only what is held for a person, and that once', async () => {
      const { store } = world();
      await prepared(store, draft('b'));
      const nothing = { orderIds: [], note: '' };
      expect(await store.attempts.close(alice, job('job-b'), nothing, byAlice)).toMatchObject({
        kind: 'not-in-review',
        attempt: { state: 'SENDING' },
      });
      await held();
      await store.attempts.close(alice, job('job-a'), nothing, byAlice);
      expect(await store.attempts.close(alice, job('job-a'), nothing, byAlice)).toMatchObject({
        kind: 'not-in-review',
        attempt: { state: 'CLOSED' },
      });
    });

    it('changes nothing when one of the orders is unknown, incomplete, or of another attempt', async () => {
      const { store, wake } = world();
      const before = await held();
      await store.orders.record(snapshot(21), world().now());
      await bought(store, draft('b'), snapshot(22));
      await receive(store, 23, smsEvent(23, 0));
      wake.take();
      for (const taken of [22, 23, 24]) {
        const orderIds = [order(21), order(taken)];
        const closing = await store.attempts.close(alice, job('job-a'), { orderIds, note: '' }, byAlice);
        expect(closing).toEqual({ kind: 'order-taken', orderId: taken });
      }
      expect((await store.attempts.find(alice, job('job-a')))?.attempt).toEqual(before);
      expect(await store.orders.find(ofAlice, order(21))).toBeNull();
      expect(wake.take()).toEqual([]);
    });
  });
}
