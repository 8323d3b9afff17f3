import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../src/store/unavailable.ts';
import { alice, byAlice, draft, job, ofAll, smsEntry, snapshot } from '../../conformance/support/values.ts';
import { known } from '../../conformance/support/world.ts';
import { type Instance, openInstance } from './support/instances.ts';
import { type PostgresDatabase, usePostgres } from './support/postgres-database.ts';
import { findPostgres } from './support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('lost connections', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  let instance: Instance;
  beforeEach(async () => {
    database = await create();
    instance = await openInstance(database.url);
  });
  afterEach(async () => {
    await instance.close();
    await database.drop();
  });

  /** Ends connections of this test's store, on the server, and of nobody else. */
  async function terminate(which: string): Promise<number> {
    const rows = await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = '${database.application}' and ${which}`,
    );
    return rows.length;
  }

  it('are replaced when they break while nobody uses them', async () => {
    const { store } = instance;
    await Promise.all(Array.from({ length: 4 }, (_, turn) => store.inbox.insert(smsEntry(turn, 0))));
    expect(await terminate('true')).toBeGreaterThan(0);
    for (let turn = 0; turn < 5; turn++) {
      expect((await store.attempts.prepare(draft(`${turn}`), 't', byAlice)).kind).toBe('fresh');
    }
    expect(await store.attempts.find(alice, job('job-0'))).not.toBeNull();
    await store.check();
  });

  it('in the middle of a transaction undo it, and it is done again', async () => {
    const { store } = instance;
    const holder = await database.connect();
    await store.attempts.prepare(draft('first'), 't', byAlice);
    await holder.query('begin');
    await holder.query(`select * from budgets where caller = 'alice' for update`);
    const waiting = store.attempts.prepare(draft('a'), 'token', byAlice);
    await until(async () => (await waitingForLocks()) > 0);
    expect(await terminate(`wait_event_type = 'Lock'`)).toBe(1);
    await holder.query('commit');
    expect(await waiting).toMatchObject({ kind: 'fresh', claim: { token: 'token' } });
    expect(await database.query('select * from attempts')).toHaveLength(2);
    expect(await store.budgets.find(alice)).toMatchObject({ reserved: 10_000 });
  });

  it('of a server that is not there are told as such, and end nothing', async () => {
    const away = new URL(database.url);
    away.port = '1';
    await expect(openInstance(away.href, 1, database.url)).rejects.toThrow();
    await expect(instance.store.check()).resolves.toBeUndefined();
  });

  it('under load lose nothing that was answered', async () => {
    const { store } = instance;
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        await terminate('random() < 0.5');
      }
    })();
    const answered: number[] = [];
    for (let turn = 0; turn < 40; turn++) {
      const ids = Array.from({ length: 10 }, (_, index) => turn * 10 + index);
      await Promise.all(
        ids.map(async (id) => {
          try {
            await store.inbox.insert(smsEntry(id, 0));
            answered.push(id);
          } catch (error) {
            expect(error).toBeInstanceOf(StoreUnavailable);
          }
        }),
      );
    }
    isOver = true;
    await killing;
    const kept = new Set((await database.query('select order_id from inbox')).map((row) => row['order_id']));
    expect(answered.length).toBeGreaterThan(300);
    expect(answered.filter((id) => !kept.has(id))).toEqual([]);
    expect(kept.size).toBe((await database.query('select * from inbox')).length);
  });

  it('of a process that stands still in a transaction are ended by the server, and others get through', async () => {
    const stalled = await database.connect();
    await stalled.query(`set idle_in_transaction_session_timeout = '400ms'`);
    await stalled.query('begin');
    await stalled.query(`update counters set value = value + 1 where name = 'sms'`);
    const { store } = instance;
    const evidence = { revision: 0, message: 'm', otpCode: null };
    await store.orders.record(snapshot(21, { evidence }), await store.now());
    expect(known((await store.orders.messagesAfter(ofAll, 0, 9))[0]).revision).toBe(0);
  });

  async function waitingForLocks(): Promise<number> {
    const rows = await database.query(
      `select 1 from pg_stat_activity
       where application_name = '${database.application}' and wait_event_type = 'Lock'`,
    );
    return rows.length;
  }
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 200; look++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not come to pass');
}
