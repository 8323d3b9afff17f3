import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { FurtherStores } from '../ports/store/further.ts';
import type { Store } from '../ports/store/store.ts';
import type { Wake } from '../ports/wake.ts';
import { sealedStore } from '../store/sealed-store.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { openCipher } from './cipher.ts';
import { named } from './named.ts';

/**
 * Opens the database as configured and brings its schema up to date.
 *
 * @throws Error with a message for the operator.
 */
export async function openStore(
  config: Pick<Config, 'database' | 'encryptionKeys' | 'redisUrl'>,
  environs: {
    readonly clock: Clock;
    readonly random: Random;
    readonly wake: Wake;
    /** Left out by commands that end before there is anything to tell. */
    readonly log?: Pick<Log, 'info' | 'warn'>;
    /** Stands for the clock of a database that has its own, in tests. */
    readonly serverClock?: Pick<Clock, 'now'>;
  },
): Promise<Store & FurtherStores> {
  const { database } = config;
  try {
    return await open();
  } catch (error) {
    throw named('DATABASE_URL', error);
  }

  async function open(): Promise<Store & FurtherStores> {
    // Its file lies beside the database.
    const cipher = openCipher(config);
    if (database.kind === 'sqlite') {
      return sealedStore(await openSqliteStore({ file: database.file, cipher, ...environs }), cipher);
    }
    // Loaded where it is used: with its drivers it is a tenth of all that is loaded at a start.
    const { openPostgres } = await import('./open-postgres.ts');
    const store = await openPostgres(database.url, config, { log: silent, ...environs, cipher });
    return sealedStore(store, cipher);
  }
}

const silent = { info: () => undefined, warn: () => undefined };
