import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseKeyId } from '../../src/domain/ids.ts';
import { SECOND } from '../../src/domain/time.ts';
import { byAlice, draft, smsEntry } from '../conformance/support/values.ts';
import { known } from '../conformance/support/world.ts';
import { type Instance, openInstance } from '../store/postgres/support/instances.ts';
import { type PostgresDatabase, usePostgres } from '../store/postgres/support/postgres-database.ts';
import { findPostgres } from '../store/postgres/support/services.ts';
import { ear, until } from './support.ts';

const server = findPostgres();

describe.runIf(server !== null)('wakes through PostgreSQL', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  let a: Instance;
  let b: Instance;
  beforeEach(async () => {
    database = await create();
    a = await openInstance(database.url);
    b = await openInstance(database.url);
  });
  afterEach(async () => {
    await a.close();
    await b.close();
    await database.drop();
  });

  /** Ends the connections that listen, of this test's instances alone. */
  const deafen = () =>
    database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = '${database.application}' and query like 'listen%'`,
    );

  it('tell another instance which keys have news, well within a second, and nobody twice', async () => {
    const [hearsA, hearsB] = [ear(a.wake), ear(b.wake)];
    await a.store.attempts.prepare(draft('a'), 't', byAlice);
    expect(hearsA('attempts-due')).toBe(true);
    expect(await until(() => hearsB('attempts-due'))).toBeLessThan(SECOND);
    a.wake.take();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(a.wake.take()).toEqual([]);
    expect(a.wake.everybody() + b.wake.everybody()).toBe(0);
  });

  it('tell nothing of what was not committed', async () => {
    const hearsB = ear(b.wake);
    await a.store.inbox.insert(smsEntry(1, 0));
    await until(() => hearsB('inbox'));
    b.wake.take();
    await a.store.inbox.insert(smsEntry(1, 0));
    await a.store.keys.touch(known(parseKeyId('nobody')));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(b.wake.take()).toEqual([]);
  });

  it('look everywhere once when they could not hear for a while, and hear again then', async () => {
    expect(await deafen()).not.toEqual([]);
    await a.store.inbox.insert(smsEntry(1, 0));
    await until(() => b.wake.everybody() > 0);
    const hearsB = ear(b.wake);
    await a.store.inbox.insert(smsEntry(2, 0));
    await until(() => hearsB('inbox'));
  });

  it('reach nobody in another schema of the same database', async () => {
    const other = await create();
    const stranger = await openInstance(other.url);
    const hearsB = ear(b.wake);
    await a.store.inbox.insert(smsEntry(1, 0));
    await until(() => hearsB('inbox'));
    expect(stranger.wake.take()).toEqual([]);
    await stranger.close();
    await other.drop();
  });

  it('are told by the server though the teller is gone the moment it has committed', async () => {
    const hearsB = ear(b.wake);
    // What a process that is killed has sent in one message: the server goes on by itself.
    const dying = await database.connect();
    const channel = await listenedTo();
    await dying.query('begin');
    const last = dying.query(`commit; select pg_notify('${channel}', 'somebody' || chr(10) || 'inbox')`);
    last.catch(() => undefined);
    setImmediate(() => destroy(dying));
    await until(() => hearsB('inbox'));
  });

  async function listenedTo(): Promise<string> {
    const rows = await database.query(
      `select substring(query from '"(switchboard_[0-9a-f]+)"') as channel from pg_stat_activity
       where application_name = '${database.application}' and query like 'listen%' limit 1`,
    );
    return String(rows[0]?.['channel']);
  }
});

/** As a kill does it: without a word. */
function destroy(client: object): void {
  if ('connection' in client && typeof client.connection === 'object' && client.connection !== null) {
    const { connection } = client;
    if ('stream' in connection && typeof connection.stream === 'object' && connection.stream !== null) {
      const { stream } = connection;
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
    }
  }
}
