import type { Config } from '../config.ts';
import type { Cipher } from '../ports/cipher.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { FurtherStores } from '../ports/store/further.ts';
import type { Store } from '../ports/store/store.ts';
import type { Wake } from '../ports/wake.ts';
import { openPostgresStore } from '../store/postgres/open.ts';
import { createPostgresWake } from '../wake/postgres.ts';
import { createRedisWake } from '../wake/redis.ts';

export interface PostgresEnvirons {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly cipher: Cipher;
  /** Of this process. What other instances commit is announced here. */
  readonly wake: Wake;
  /** Stands for the server's, in tests. */
  readonly serverClock?: Pick<Clock, 'now'>;
}

/**
 * A store on PostgreSQL with the wakes that join its instances, through Redis where there is one. Times are the server's.
 *
 * @throws Error when the database cannot be reached, or is not one of this program's.
 */
export async function openPostgres(
  url: string,
  { redisUrl }: Pick<Config, 'redisUrl'>,
  { clock, random, log, cipher, wake: local, serverClock }: PostgresEnvirons,
): Promise<Store & FurtherStores> {
  const inner = await createPostgresWake({ url, local, clock, random, log });
  const wake =
    redisUrl === undefined ? inner : createRedisWake({ url: redisUrl, local, inner, clock, random, log });
  try {
    const store = await openPostgresStore({
      url,
      wake,
      random,
      cipher,
      timers: clock,
      ...(serverClock !== undefined && { clock: serverClock }),
    });
    return {
      ...store,
      async close() {
        await store.close();
        await wake.close();
      },
    };
  } catch (error) {
    await wake.close();
    throw error;
  }
}
