import { openCipher } from '../app/cipher.ts';
import { postgresRows } from '../store/reseal/postgres-rows.ts';
import { resealStore } from '../store/reseal/reseal-store.ts';
import { sqliteRows } from '../store/reseal/sqlite-rows.ts';
import { systemClock } from '../system-clock.ts';
import { CommandFailure, print, printError } from './output.ts';
import { readConfig } from './read-config.ts';

/** `switchboard reseal`: after a change of keys. False when something is left that no key given opens. */
export async function reseal(): Promise<boolean> {
  const config = readConfig('store', printError);
  const { database, encryptionKeys } = config;
  if (database.kind === 'postgres' && encryptionKeys.length === 0) {
    throw new CommandFailure('Set ENCRYPTION_KEY to the keys, newest first: without one nothing is sealed.');
  }
  const rows =
    database.kind === 'sqlite'
      ? sqliteRows(database.file, systemClock.now())
      : await postgresRows(database.url);
  try {
    const done = await resealStore(rows, openCipher(config), (table, looked, of, sealed) =>
      printError(`${table}: ${looked} of ${of} looked at, ${sealed} sealed anew`),
    );
    print(`${done.rows} rows were sealed anew.`);
    if (done.unreadable === 0) {
      print('Everything is sealed with the newest key: the older ones may be taken away.');
      return true;
    }
    printError(
      `${done.unreadable} rows were sealed with a key that is not among ENCRYPTION_KEY, or were damaged: ${done.named.join(', ')}${done.unreadable > done.named.length ? ', …' : ''}. Add that key behind the others, and run this again.`,
    );
    return false;
  } finally {
    await rows.close();
  }
}
