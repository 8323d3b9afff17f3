import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { makeDirectory } from '../make-directory.ts';
import { isBusy } from './errors.ts';

/** How long a statement waits for another process's write to end, in milliseconds. The process stands still meanwhile. */
const BUSY_TIMEOUT = 5_000;
/** Between two tries to have the file alone, in milliseconds. */
const SWITCH_PAUSE = 10;
/**
 * Pages in the log before they are copied into the database, 16 MiB of them (SQLite: 4). A busy hour changes the same pages
 * over and over, and each is copied once a checkpoint.
 */
const CHECKPOINT_PAGES = 4_000;
/** What a log that a long reader let grow is cut back to, in bytes. */
const LOG_SIZE_LIMIT = 64 * 1024 * 1024;

/**
 * The one connection of a store. All of its work is synchronous, so that reads between two turns of the event loop
 * never meet an open transaction: a second connection for reading would buy nothing but a second cache.
 *
 * Directory and file are made where missing, for their owner alone.
 */
export function connect(file: string): Database.Database {
  makeDirectory(dirname(resolve(file)));
  // SQLite gives its log the file's own permissions.
  closeSync(openSync(file, 'a', 0o600));
  const database = new Database(file, { timeout: BUSY_TIMEOUT });
  try {
    switchToLog(database);
    // The driver is built to fall back to NORMAL in WAL mode unless told on each connection: then a power cut could
    // take the record of a send that has left, and the job would be charged twice.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.pragma(`journal_size_limit = ${LOG_SIZE_LIMIT}`);
    // Where a savepoint needs copies of pages, it would else write them to a file from 64 KiB on.
    database.pragma('temp_store = MEMORY');
    // What retention erases must be gone from the file's bytes.
    database.pragma('secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * The change needs the file alone, and SQLite does not wait for that, whatever the busy timeout: of several that start
 * on a new file together, all but one would fail.
 */
function switchToLog(database: Database.Database): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += SWITCH_PAUSE) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || waited >= BUSY_TIMEOUT) throw error;
      Atomics.wait(pause, 0, 0, SWITCH_PAUSE);
    }
  }
}
