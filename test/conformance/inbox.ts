import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../src/domain/sms/event.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { InboxRecord } from '../../src/ports/store/inbox.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  bought,
  byAlice,
  draft,
  endedEntry,
  endedEvent,
  ofAlice,
  ofAll,
  order,
  smsEntry,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeInbox(create: CreateDatabase): void {
  describe('inbox', () => {
    const world = useWorld(create);
    const nothing: WebhookEvent = { kind: 'nothing', why: 'unknown' };

    async function store(...entries: readonly ReturnType<typeof smsEntry>[]): Promise<void> {
      for (const entry of entries) await world().store.inbox.insert(entry);
    }
    async function pending(limit = 100, ids?: readonly number[]) {
      const records = await world().store.inbox.pending(limit, ids?.map(order));
      return records.map(({ body }) => new TextDecoder().decode(body));
    }
    const bodies = (...pairs: readonly (readonly [number, number])[]) =>
      pairs.map(([id, revision]) => `{"order_id":${id},"sms_revision":${revision}}`);
    const only = async (): Promise<InboxRecord> => known((await world().store.inbox.pending(1))[0]);

    it('keeps the bytes as they came', async () => {
      const { now } = world();
      const body = Uint8Array.from({ length: 256 }, (_, index) => index);
      await store({ ...smsEntry(21, 0), body });
      const record = await only();
      expect([...record.body]).toEqual([...body]);
      expect(record).toMatchObject({ orderId: 21, receivedAt: now(), tries: 0 });
    });

    it('takes each event in once, whoever brings it', async () => {
      const other = (await world().another()).store;
      const { inbox } = world().store;
      const results = await Promise.all([
        inbox.insert(smsEntry(21, 0)),
        other.inbox.insert(smsEntry(21, 0)),
        inbox.insert(smsEntry(21, 0)),
        inbox.insert(smsEntry(21, 1)),
      ]);
      expect(results.filter((result) => result === 'stored')).toHaveLength(2);
      expect(await pending()).toEqual(bodies([21, 0], [21, 1]));
      await inbox.apply([{ record: await only(), event: nothing }]);
      expect(await inbox.insert(smsEntry(21, 0))).toBe('duplicate');
    });

    it('tells keys of any text apart', async () => {
      const { inbox } = world().store;
      for (const dedupeKey of ['a\0', 'a', 'a\ud800', 'a\ufffd', 'a\\ud800', 'A', 'a ']) {
        expect(await inbox.insert({ ...smsEntry(21, 0), dedupeKey, event: dedupeKey })).toBe('stored');
        expect(await inbox.insert({ ...smsEntry(21, 0), dedupeKey })).toBe('duplicate');
      }
    });

    it('wakes the worker for a new event, and for nothing else', async () => {
      const { wake } = world();
      await store(smsEntry(21, 0));
      expect(wake.take()).toEqual(['inbox']);
      await store(smsEntry(21, 0), { ...smsEntry(22, 0), rejected: true });
      expect(wake.take()).toEqual([]);
    });

    it('keeps a rejected one and hands it to nobody', async () => {
      await store({ ...smsEntry(21, 0), rejected: true });
      expect(await pending()).toEqual([]);
      expect(await world().store.inbox.insert(smsEntry(21, 0))).toBe('duplicate');
      expect(await world().store.inbox.stats()).toEqual({ pending: 0, dead: 0, oldestPendingAt: null });
    });

    it('hands out the oldest first, of one order the lowest revision first and its end last', async () => {
      await store(smsEntry(21, 3), smsEntry(22, 0), endedEntry(21), smsEntry(23, 0), smsEntry(21, 2));
      await store({ ...smsEntry(0, 0), dedupeKey: 'test', orderId: null, revision: null });
      const all = bodies([21, 2], [21, 3], [21, 0], [22, 0], [23, 0], [0, 0]);
      expect(await pending()).toEqual(all);
      for (let limit = 0; limit <= all.length; limit++)
        expect(await pending(limit)).toEqual(all.slice(0, limit));
    });

    it('hands out those of the orders asked for', async () => {
      await store(smsEntry(21, 1), smsEntry(22, 0), smsEntry(21, 0), smsEntry(23, 0));
      expect(await pending(9, [23, 21])).toEqual(bodies([21, 0], [21, 1], [23, 0]));
      expect(await pending(1, [23, 21])).toEqual(bodies([21, 0]));
      expect(await pending(9, [])).toEqual([]);
    });

    it('applies a batch: messages, the end, and what acts on nothing', async () => {
      const { inbox, orders } = world().store;
      await bought(world().store, draft('a'), snapshot(21));
      world().clock.pass(SECOND);
      const receivedAt = world().now();
      await store(smsEntry(21, 0), endedEntry(22), { ...smsEntry(0, 0), orderId: null });
      world().clock.pass(SECOND);
      const records = await inbox.pending(9);
      const events = [smsEvent(21, 0), endedEvent(22, 'CANCELED'), nothing];
      const results = await inbox.apply(
        records.map((record, index) => ({ record, event: known(events[index]) })),
      );
      expect(results).toMatchObject([
        {
          kind: 'applied',
          order: { id: 21, status: 'OTP_RECEIVED' },
          news: { revision: 0, receivedAt },
          conflict: false,
        },
        { kind: 'applied', order: { id: 22, status: 'CANCELED', amount: null }, news: null },
        { kind: 'applied', order: null, news: null, conflict: false },
      ]);
      expect(results.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
      expect(await orders.messagesOf(ofAlice, [order(21)])).toMatchObject([
        { source: 'WEBHOOK', receivedAt },
      ]);
      expect(await orders.find(ofAlice, order(21))).toMatchObject({ asOf: receivedAt });
      expect(await inbox.stats()).toEqual({ pending: 0, dead: 0, oldestPendingAt: null });
    });

    it('tells a conflicting text of an accepted revision', async () => {
      await world().store.orders.record(
        snapshot(21, { evidence: { revision: 0, message: 'a', otpCode: null } }),
        world().now(),
      );
      await store(smsEntry(21, 0));
      const results = await world().store.inbox.apply([
        { record: await only(), event: smsEvent(21, 0, 'b') },
      ]);
      expect(results).toMatchObject([{ kind: 'applied', news: null, conflict: true }]);
    });

    it('applies a record once, though two workers have it', async () => {
      const other = (await world().another()).store;
      await store(smsEntry(21, 0));
      const item = { record: await only(), event: smsEvent(21, 0) };
      const both = await Promise.all([world().store.inbox.apply([item]), other.inbox.apply([item])]);
      const results = both.flat();
      expect(results.map(({ kind }) => kind).sort()).toEqual(['applied', 'gone']);
    });

    it('lets one that throws spoil itself alone', async () => {
      const { inbox, orders } = world().store;
      const { wake, database } = world();
      await orders.record(snapshot(21), world().now());
      await database.query(`update orders set status = 'NONSENSE' where id = 21`);
      await store(smsEntry(20, 0), smsEntry(21, 0), smsEntry(22, 0));
      wake.take();
      const records = await inbox.pending(9);
      const ids = [20, 21, 22];
      const batch = records.map((record, index) => ({ record, event: smsEvent(known(ids[index]), 0) }));
      const results = await inbox.apply(batch);
      expect(results.map(({ kind }) => kind)).toEqual(['applied', 'failed', 'applied']);
      expect(wake.take()).toEqual(['open-orders', 'order:20', 'order:22']);
      expect(await database.query('select order_id from sms_revisions order by order_id')).toHaveLength(2);
      await database.query(`update orders set status = 'ACTIVE' where id = 21`);
      expect(await orders.find(ofAll, order(21))).toMatchObject({ smsRevision: -1, version: 1 });
    });

    it('tries a failing one again after 1 s doubling to a minute, and gives it up after ten tries', async () => {
      const { inbox, orders } = world().store;
      const { clock, database } = world();
      await orders.record(snapshot(21), world().now());
      await database.query(`update orders set status = 'NONSENSE' where id = 21`);
      await store(smsEntry(21, 0));
      const waits: (number | null)[] = [];
      for (let tries = 0; tries < 10; tries++) {
        const record = await only();
        expect(record.tries).toBe(tries);
        const [result] = await inbox.apply([{ record, event: smsEvent(21, 0) }]);
        if (result?.kind !== 'failed') throw new Error('the row cannot be read');
        expect(result.error).toBeInstanceOf(Error);
        waits.push(result.nextAt === null ? null : (result.nextAt - clock.now()) / SECOND);
        if (result.nextAt === null) break;
        clock.pass(result.nextAt - clock.now() - 1);
        expect(await pending()).toEqual([]);
        clock.pass(1);
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, null]);
      expect(await pending()).toEqual([]);
      expect(await inbox.stats()).toEqual({ pending: 0, dead: 1, oldestPendingAt: null });
    });

    /** A row of its order that no program can read makes a webhook fail each time. */
    async function deadLetter(id: number): Promise<void> {
      const { store: kept, clock, database } = world();
      await kept.orders.record(snapshot(id), world().now());
      await database.query(`update orders set status = 'NONSENSE' where id = ${id}`);
      await store(smsEntry(id, 0));
      for (let tries = 0; tries < 10; tries++) {
        const [record] = await kept.inbox.pending(1, [order(id)]);
        await kept.inbox.apply([{ record: known(record), event: smsEvent(id, 0) }]);
        clock.pass(60 * SECOND);
      }
    }

    it('lists dead letters, newest first and in pages, without what they hold', async () => {
      const { now, store: kept } = world();
      const since = now();
      for (const id of [21, 22, 23]) await deadLetter(id);
      const dead = await kept.inbox.dead(null, 2);
      expect(dead.map(({ orderId }) => orderId)).toEqual([23, 22]);
      expect(await kept.inbox.dead(known(dead.at(-1)).id, 9)).toEqual([
        {
          id: expect.any(Number),
          event: 'order.otp_received',
          orderId: 21,
          revision: 0,
          receivedAt: since,
          tries: 10,
        },
      ]);
    });

    it('has a dead letter worked off anew, once, and writes down by whom', async () => {
      const { store: kept, database, wake } = world();
      await deadLetter(21);
      const id = known((await kept.inbox.dead(null, 1))[0]).id;
      await database.query(`update orders set status = 'ACTIVE' where id = 21`);
      wake.take();
      expect(await kept.inbox.replay(id, byAlice)).toMatchObject({ id, orderId: 21, tries: 10 });
      expect(wake.take()).toEqual(['inbox']);
      expect(await kept.inbox.replay(id, byAlice)).toBeNull();
      expect(await kept.inbox.replay(999, byAlice)).toBeNull();
      const record = await only();
      expect(record.tries).toBe(0);
      await kept.inbox.apply([{ record, event: smsEvent(21, 0) }]);
      expect(await kept.orders.find(ofAll, order(21))).toMatchObject({ smsRevision: 0 });
      expect(await kept.inbox.dead(null, 9)).toEqual([]);
      expect(await kept.audit.entries(null, null, 9)).toMatchObject([
        { by: byAlice, act: 'REPLAY_WEBHOOK', subject: String(id) },
      ]);
    });

    it('counts what waits, and since when, also what is tried again later', async () => {
      const { inbox } = world().store;
      const since = world().now();
      await store(smsEntry(21, 0));
      world().clock.pass(SECOND);
      await store(smsEntry(22, 0));
      expect(await inbox.stats()).toEqual({ pending: 2, dead: 0, oldestPendingAt: since });
    });
  });
}
