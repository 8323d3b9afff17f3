import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, instant, later } from '../../../src/domain/time.ts';
import { connectAlone } from '../../../src/store/postgres/connections.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { migrations } from '../../../src/store/postgres/migrations.ts';
import { ofAlice, ofAll, snapshot } from '../../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { openInstance } from './support/instances.ts';
import { onServer } from './support/on-server.ts';
import { makeSchema, type PostgresDatabase, urlOf, usePostgres } from './support/postgres-database.ts';
import { findPostgres } from './support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('sums of days in PostgreSQL', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  beforeEach(async () => {
    database = await create();
  });
  afterEach(() => database.drop());

  it('are not made while somebody counts: what is not committed would be missing for ever', async () => {
    const clock = fakeClock();
    const store = await database.open({ clock, random: countingRandom(), wake: fakeWake() });
    await store.orders.record(snapshot(1, { createdAt: clock.now() }), clock.now());
    // A whole hour: what `since` cuts through is counted from the orders.
    const since = instant(Math.floor(clock.now() / DAY) * DAY);
    clock.pass(2 * DAY);
    const counting = await database.connect();
    await counting.query('begin; update order_counts set received = received + 1');
    expect(await store.statistics.sumDay(clock.now())).toBe(false);
    await counting.query('commit');
    expect(await store.statistics.sumDay(clock.now())).toBe(true);
    expect(await store.statistics.orders(ofAll, since, 'PLATFORM')).toMatchObject([{ received: 1 }]);
    // One that begins to count meanwhile waits, and undoes the sum.
    await counting.query('begin; update order_counts set received = received + 1; commit');
    expect(await database.query('select day from summed_days')).toEqual([]);
  });

  it('are made of what an older program has kept', async () => {
    const schema = await makeSchema(server ?? '');
    const url = urlOf(server ?? '', schema);
    const client = await connectAlone(url);
    await migrate(client, migrations.slice(0, 1));
    const hour = 490_000;
    for (const slot of [1, 2]) {
      await client.query(
        `insert into order_counts values (${hour}, 'alice', 3, -1, -1, 7, ${slot}, 2, 1, 0, 1, 0),
           (${hour + 1}, 'bob', 3, -1, -1, 7, ${slot}, 1, 0, 0, 0, 1)`,
      );
      await client.query(
        `insert into sms_times values (${hour}, 'alice', 3, -1, -1, 7, ${slot}, 300, 1, ${slot * 1_000})`,
      );
    }
    const { store, close } = await openInstance(url);
    // From the midnight before, or the day would not be whole.
    const since = instant(Math.floor(hour / 24) * DAY);
    const asked = async () => ({
      all: await store.statistics.orders(ofAll, since, 'PRODUCT'),
      own: await store.statistics.orders(ofAlice, since, 'PRODUCT'),
    });
    const before = await asked();
    expect(before.all).toMatchObject([{ key: 7, orders: 6, received: 2, canceled: 2, failed: 2 }]);
    const after = later(since, 2 * DAY);
    expect(await store.statistics.sumDay(after)).toBe(true);
    expect(await store.statistics.sumDay(after)).toBe(false);
    expect((await client.query('select day from summed_days')).rows).toHaveLength(1);
    expect(await asked()).toEqual(before);
    await close();
    await client.end();
    await onServer(server ?? '', (admin) => admin.query(`drop schema ${schema} cascade`));
  });
});
