import { openStore } from '../app/open-store.ts';
import { systemClock } from '../system-clock.ts';
import { systemRandom } from '../system-random.ts';
import { createInProcessWake } from '../wake/in-process.ts';
import { print, printError } from './output.ts';
import { readConfig } from './read-config.ts';

/** `switchboard migrate`: makes the database where it is missing, and brings its schema up to date. */
export async function migrateDatabase(): Promise<void> {
  const config = readConfig('store', printError);
  const wake = createInProcessWake(() => undefined);
  const store = await openStore(config, { clock: systemClock, random: systemRandom, wake });
  await store.close();
  print('The database is up to date.');
}
