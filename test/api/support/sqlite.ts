import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { GatewayDatabase } from './database.ts';

/** A file in the gateway's own directory, which it goes with. */
export function createFile(directory: string): GatewayDatabase {
  const file = join(directory, 'switchboard.db');
  return {
    url: `file:${file}`,
    async refuseInserts(tables) {
      const database = new Database(file);
      // A trigger that refuses is the nearest to a full disk that a running process can be shown.
      for (const table of tables) {
        database.exec(
          `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
        );
      }
      database.close();
    },
    drop: async () => undefined,
  };
}
