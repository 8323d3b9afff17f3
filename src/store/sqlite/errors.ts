import Database from 'better-sqlite3';

/** Another connection has the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** Primary result codes that say something of the disk or of other processes, and nothing of the operation. */
const UNAVAILABLE =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB|PROTOCOL|PERM)(_|$)/;

export function isUnavailable(error: unknown): boolean {
  return error instanceof Database.SqliteError && UNAVAILABLE.test(error.code);
}
