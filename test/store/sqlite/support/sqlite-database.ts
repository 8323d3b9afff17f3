import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Store } from '../../../../src/ports/store/store.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import { testCipher } from '../../../conformance/support/cipher.ts';
import type { TestDatabase } from '../../../conformance/support/database.ts';

export interface SqliteDatabase extends TestDatabase {
  readonly file: string;
}

/** Memory where the system has some as a directory: hundreds of databases are made, and each commit waits for the disk. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A SQLite file in a directory of its own. */
export async function sqliteDatabase(): Promise<SqliteDatabase> {
  const directory = await mkdtemp(join(parent, 'store-'));
  const file = join(directory, 'store.db');
  const opened: Store[] = [];
  return {
    file,
    async open(by) {
      const store = await openSqliteStore({ file, cipher: testCipher, ...by });
      opened.push(store);
      return store;
    },
    async query(sql) {
      const database = new Database(file);
      try {
        const statement = database.prepare<[], Record<string, unknown>>(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      } finally {
        database.close();
      }
    },
    async drop() {
      for (const store of opened) await store.close();
      await rm(directory, { recursive: true });
    },
  };
}
