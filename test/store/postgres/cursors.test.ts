import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arrivalsOf } from '../../../src/store/postgres/arrivals.ts';
import { lockSpacesOf } from '../../../src/store/postgres/lock-spaces.ts';
import { told } from '../../conformance/support/supplier-values.ts';
import { byAlice, ofAll, sms, snapshot } from '../../conformance/support/values.ts';
import { known } from '../../conformance/support/world.ts';
import { type Instance, openInstance } from './support/instances.ts';
import { type PostgresDatabase, usePostgres } from './support/postgres-database.ts';
import { findPostgres } from './support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('cursors', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  let instance: Instance;
  beforeEach(async () => {
    database = await create();
    instance = await openInstance(database.url, 8);
  });
  afterEach(async () => {
    await instance.close();
    await database.drop();
  });

  /** Resolves to false where the work is still waiting after so long. */
  async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
    return Promise.race([
      work.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), milliseconds)),
    ]);
  }

  it('see no number while a lower one is not committed: who draws after it waits', async () => {
    const { store } = instance;
    const slow = await database.connect();
    await slow.query('begin');
    // Another instance in the middle of its commit: it has drawn its number, and nobody can see its message.
    const drawn = await slow.query(
      `update counters set value = value + 1 where name = 'sms' returning value`,
    );
    const late = store.orders.record(snapshot(21, sms(0)), await store.now());
    expect(await isDoneWithin(300, late)).toBe(false);
    expect(await store.orders.messagesAfter(ofAll, 0, 9)).toEqual([]);
    await slow.query('commit');
    await late;
    const [message] = await store.orders.messagesAfter(ofAll, 0, 9);
    expect(known(message).sequence).toBeGreaterThan(Number(drawn.rows[0]?.value));
  });

  it('see no claim and no balance behind one that commits late', async () => {
    const { store } = instance;
    const slow = await database.connect();
    await slow.query('begin');
    await slow.query(`update counters set value = value + 1 where name in ('claims', 'balances')`);
    await store.supplier.beginPull({ id: 'p' }, 1_000, byAlice);
    const claiming = store.supplier.endPull({ id: 'p' }, null, [told('a')]);
    const asOf = await store.now();
    const reading = store.balances.record({ currency: 'IDR', amount: known(snapshot(1).amount), asOf });
    expect(await isDoneWithin(300, Promise.race([claiming, reading]))).toBe(false);
    await slow.query('rollback');
    await Promise.all([claiming, reading]);
    expect(await store.supplier.claimsAfter({ kind: 'all' }, 0, 9)).toHaveLength(1);
  });

  it('miss no message of many that are accepted at once, whoever follows meanwhile', async () => {
    const other = await openInstance(database.url);
    const readAt = await instance.store.now();
    const seen: number[] = [];
    let cursor = 0;
    let isOver = false;
    const following = (async () => {
      while (!isOver || seen.length < 60) {
        const batch = await other.store.orders.messagesAfter(ofAll, cursor, 7);
        seen.push(...batch.map(({ orderId }) => orderId));
        cursor = batch.at(-1)?.sequence ?? cursor;
        if (isOver && batch.length === 0) return;
      }
    })();
    await Promise.all(
      Array.from({ length: 60 }, (_, id) =>
        (id % 2 === 0 ? instance : other).store.orders.record(snapshot(id, sms(0)), readAt),
      ),
    );
    isOver = true;
    await following;
    await other.close();
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, id) => id));
  });

  it('let no read pass a webhook over that is on its way in', async () => {
    const { store } = instance;
    const slow = await database.connect();
    // A batch of webhooks that another instance has not committed yet, as its lock says.
    await slow.query('begin');
    const [{ schema } = { schema: '' }] = (
      await slow.query<{ schema: string }>('select current_schema() as schema')
    ).rows;
    const { arrivals } = lockSpacesOf(schema);
    await slow.query('select pg_advisory_xact_lock_shared($1::int, $2::int)', [
      arrivals,
      arrivalsOf(snapshot(21).id),
    ]);
    await slow.query(
      `insert into inbox (dedupe_key, event, order_id, revision, body, state, received_at, tries, next_try_at)
       values ('k', 'order.otp_received', 21, 0, '', 'PENDING', 0, 0, 0)`,
    );
    const reading = store.orders.record(snapshot(21, sms(1)), await store.now());
    expect(await isDoneWithin(300, reading)).toBe(false);
    await slow.query('commit');
    expect(await reading).toEqual({ kind: 'inbox-first' });
    expect(await store.orders.messagesAfter(ofAll, 0, 9)).toEqual([]);
  });
});
