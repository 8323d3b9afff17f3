import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyStore } from '../store/copy/copy-store.ts';
import { systemClock } from '../system-clock.ts';
import { CommandFailure, print, printError } from './output.ts';
import { readConfig } from './read-config.ts';

/** `switchboard migrate-store FILE`: copies a SQLite database to the PostgreSQL one that DATABASE_URL names. */
export async function migrateStore(file: string): Promise<void> {
  const { database, encryptionKeys } = readConfig('store', printError);
  if (database.kind !== 'postgres') {
    throw new CommandFailure('DATABASE_URL must name the PostgreSQL database that the copy is to go to.');
  }
  const keyFile = join(dirname(file), 'encryption.key');
  if (encryptionKeys.length === 0 && existsSync(keyFile)) {
    throw new CommandFailure(
      `What the database holds is sealed with the key in ${keyFile}, which instances on several machines do not share. Set ENCRYPTION_KEY to what is in that file, here and for all of them.`,
    );
  }
  const copies = await copyStore({
    file,
    url: database.url,
    now: systemClock.now(),
    onProgress: (table, rows, of) => printError(`${table}: ${rows} of ${of}`),
  });
  for (const { name, rows, checksum } of copies) print(`${name}  ${rows} rows  ${checksum.slice(0, 16)}`);
  print(
    'Every row was compared and is alike. Gateways serve from PostgreSQL now, and from the file no more.',
  );
}
