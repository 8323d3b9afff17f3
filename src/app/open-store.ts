import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { FurtherStores } from '../ports/store/further.ts';
import type { Store } from '../ports/store/store.ts';
import type { Wake } from '../ports/wake.ts';
import { sealedStore } from '../store/sealed-store.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { openCipher } from './cipher.ts';

/**
 * Opens the database as configured and brings its schema up to date.
 *
 * @throws Error with a message for the operator.
 */
export async function openStore(
  config: Pick<Config, 'database' | 'encryptionKeys'>,
  environs: { readonly clock: Clock; readonly random: Random; readonly wake: Wake },
): Promise<Store & FurtherStores> {
  const { database } = config;
  if (database.kind === 'sqlite') {
    const cipher = openCipher(config);
    return sealedStore(await openSqliteStore({ file: database.file, cipher, ...environs }), cipher);
  }
  throw new Error('PostgreSQL is not supported by this build. Set DATABASE_URL to file:PATH.');
}
