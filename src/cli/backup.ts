import { acceptBackup, backUp } from '../store/sqlite/backup.ts';
import { systemClock } from '../system-clock.ts';
import { print, printError } from './output.ts';
import { readConfig } from './read-config.ts';

/** `switchboard backup FILE`: a consistent copy while the gateway serves. */
export async function makeBackup(target: string): Promise<void> {
  backUp(sqliteFile(), target, systemClock.now());
  print(`The database was copied to ${target}. Keep its encryption key with it.`);
}

/** `switchboard accept-backup`: serve from a restored copy. */
export async function takeBackup(): Promise<void> {
  const isAccepted = acceptBackup(sqliteFile());
  print(
    isAccepted
      ? 'The backup is accepted: the gateway serves from it now.'
      : 'The database is no restored backup.',
  );
}

function sqliteFile(): string {
  const { database } = readConfig('store', printError);
  if (database.kind === 'sqlite') return database.file;
  throw new Error(
    'a PostgreSQL database is backed up by its own tools (pg_dump, or replicas and archived logs)',
  );
}
