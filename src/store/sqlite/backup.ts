import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { formatInstant, type Instant } from '../../domain/time.ts';
import { forgetTideMark, readTideMark, TIDE_MARK } from './tide-mark.ts';

/** In settings: when the copy was made that this database is. */
export const BACKUP_MARK = 'backup-of';

/** The database is a copy that nobody has said yes to; the message is for the operator. */
export class RestoredBackup extends Error {
  constructor(madeAt: string) {
    super(
      `the database was moved to PostgreSQL, is a backup, or an older copy, as of ${madeAt}: of jobs ordered after that it knows nothing, and asked for again they would be charged again. Look at the account's orders since then, end or tell of such jobs, and then run: switchboard accept-backup`,
    );
    this.name = 'RestoredBackup';
  }
}

/**
 * A consistent copy of a database in use, marked as one: a gateway does not serve from it before somebody has said that
 * it may. @throws Error when the target is there already or cannot be written.
 */
export function backUp(file: string, target: string, now: Instant): void {
  if (existsSync(target)) throw new Error(`${target} is there already`);
  const database = new Database(file, { fileMustExist: true });
  try {
    database.prepare('vacuum into ?').run(target);
  } finally {
    database.close();
  }
  const copy = new Database(target);
  try {
    copy.pragma('synchronous = FULL');
    copy
      .prepare(
        'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      )
      .run(BACKUP_MARK, formatInstant(now));
  } finally {
    copy.close();
  }
}

/** Takes the mark off. False when the database is no copy that was noticed. */
export function acceptBackup(file: string): boolean {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.pragma('synchronous = FULL');
    const isMarked = database.prepare('delete from settings where name = ?').run(BACKUP_MARK).changes > 0;
    const tide = Number(
      database.prepare('select value from settings where name = ?').pluck().get(TIDE_MARK) ?? 0,
    );
    const isOlder = (readTideMark(file) ?? 0) > tide;
    forgetTideMark(file);
    return isMarked || isOlder;
  } finally {
    database.close();
  }
}
