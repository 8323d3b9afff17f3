import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/domain/time.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { systemClock } from '../../src/system-clock.ts';
import { systemRandom } from '../../src/system-random.ts';
import { createPostgresWake } from '../../src/wake/postgres.ts';
import { createRedisWake } from '../../src/wake/redis.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import { smsEntry } from '../conformance/support/values.ts';
import { fakeWake } from '../conformance/support/world.ts';
import { type PostgresDatabase, usePostgres } from '../store/postgres/support/postgres-database.ts';
import { findPostgres, findRedis } from '../store/postgres/support/services.ts';
import { silentLog } from '../store/postgres/support/silent-log.ts';
import { ear, until } from './support.ts';
import { type SwitchedProxy, switchedProxy } from './switched-proxy.ts';

const [server, redisUrl] = await Promise.all([findPostgres(), findRedis()]);

async function openInstance(url: string, redis: string) {
  const local = fakeWake();
  const environs = { clock: systemClock, random: systemRandom, log: silentLog, local };
  const inner = await createPostgresWake({ url, ...environs });
  const wake = createRedisWake({ url: redis, inner, ...environs });
  const store = await openPostgresStore({
    url,
    wake,
    random: systemRandom,
    cipher: testCipher,
    timers: systemClock,
    poolSize: 3,
  });
  return {
    store,
    local,
    /** Whether commits carry notes now: they do while somebody is without Redis. */
    isByDatabase: () => wake.carry(['inbox']).texts.length > 0,
    async close() {
      await store.close();
      await wake.close();
    },
  };
}
type RedisInstance = Awaited<ReturnType<typeof openInstance>>;

describe.runIf(server !== null && redisUrl !== null)('wakes through Redis', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  let proxies: SwitchedProxy[];
  let a: RedisInstance;
  let b: RedisInstance;
  let next = 0;
  beforeEach(async () => {
    database = await create();
    // Each behind a switch of its own: a Redis that others use is not to be restarted.
    proxies = [await switchedProxy(redisUrl ?? ''), await switchedProxy(redisUrl ?? '')];
    a = await openInstance(database.url, proxies[0]?.url ?? '');
    b = await openInstance(database.url, proxies[1]?.url ?? '');
    await until(() => !a.isByDatabase() && !b.isByDatabase(), 10_000);
  });
  afterEach(async () => {
    await a.close();
    await b.close();
    for (const proxy of proxies) await proxy.close();
    await database.drop();
  });

  /** Milliseconds from a commit at one instance to the other's waking. */
  async function wakeFrom(from: RedisInstance, to: RedisInstance): Promise<number> {
    const hears = ear(to.local);
    const before = to.local.everybody();
    to.local.take();
    next += 1;
    await from.store.inbox.insert(smsEntry(next, 0));
    return until(() => hears('inbox') || to.local.everybody() > before);
  }

  it('reach the other instance at once, without a note of the database', async () => {
    expect(a.isByDatabase()).toBe(false);
    const times = [];
    for (let turn = 0; turn < 5; turn++) times.push(await wakeFrom(a, b));
    expect(Math.max(...times)).toBeLessThan(SECOND);
    expect(b.local.everybody()).toBe(0);
  });

  it('go through the database while nobody has Redis, and through Redis again after it', async () => {
    for (const proxy of proxies) proxy.off();
    await until(() => a.isByDatabase() && b.isByDatabase());
    for (let turn = 0; turn < 3; turn++) expect(await wakeFrom(a, b)).toBeLessThan(1.5 * SECOND);
    for (const proxy of proxies) proxy.on();
    await until(() => !a.isByDatabase() && !b.isByDatabase(), 12_000);
    expect(await wakeFrom(b, a)).toBeLessThan(SECOND);
  });

  it('reach the one instance that alone has lost Redis: the others hear of it, and let the database carry', async () => {
    proxies[1]?.off();
    expect(await wakeFrom(a, b)).toBeLessThan(2 * SECOND);
    await until(() => a.isByDatabase());
    const before = b.local.everybody();
    for (let turn = 0; turn < 3; turn++) expect(await wakeFrom(a, b)).toBeLessThan(SECOND);
    // Looked at once for what was told before the others knew, and not each second.
    expect(b.local.everybody() - before).toBeLessThanOrEqual(1);
  });

  it('survive that Redis ends their connections', async () => {
    // Those of this test alone: by the address from which the proxies dial.
    const admin = new Redis(redisUrl ?? '');
    for (const proxy of proxies) {
      for (const address of proxy.dialledFrom()) await admin.client('KILL', 'ADDR', address).catch(() => 0);
    }
    admin.disconnect();
    expect(await wakeFrom(a, b)).toBeLessThan(2 * SECOND);
    await until(() => !a.isByDatabase() && !b.isByDatabase(), 12_000);
    expect(await wakeFrom(a, b)).toBeLessThan(SECOND);
  });

  it('look everywhere when another falls silent: it may have died between a commit and its telling', async () => {
    await wakeFrom(a, b);
    const before = b.local.everybody();
    await a.close();
    await until(() => b.local.everybody() > before, 8_000);
    a = await openInstance(database.url, proxies[0]?.url ?? '');
  });
});

describe.runIf(server !== null)('wakes without the Redis that is configured', () => {
  const create = usePostgres(server ?? '');

  it('are there from the beginning', async () => {
    const database = await create();
    const [a, b] = [
      await openInstance(database.url, 'redis://127.0.0.1:1'),
      await openInstance(database.url, 'redis://127.0.0.1:1'),
    ];
    const hears = ear(b.local);
    await a.store.inbox.insert(smsEntry(1, 0));
    expect(await until(() => hears('inbox'))).toBeLessThan(SECOND);
    await a.close();
    await b.close();
    await database.drop();
  });
});
