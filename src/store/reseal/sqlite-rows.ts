import { existsSync } from 'node:fs';
import type { Instant } from '../../domain/time.ts';
import { connect } from '../sqlite/connection.ts';
import { migrate } from '../sqlite/migrate.ts';
import { migrations } from '../sqlite/migrations.ts';
import type { KeptRow } from './sealed-tables.ts';
import { keyValues, replaceValues, resealSql, type SealedRows } from './statements.ts';

/** Brings the schema up to date. @throws Error, for the operator, when there is no such file. */
export function sqliteRows(file: string, now: Instant): SealedRows {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const database = connect(file);
  migrate(database, migrations, now);
  const sql = resealSql(() => '?');

  return {
    async count({ name }) {
      return database.prepare<[], number>(`select count(*) from ${name}`).pluck().get() ?? 0;
    },
    async rowsAfter(table, last, limit) {
      const select = database.prepare<unknown[], KeptRow>(sql.select(table, last !== null, limit));
      return select.all(...(last === null ? [] : keyValues(table, last)));
    },
    async replace(table, changes) {
      const update = database.prepare(sql.replace(table));
      database
        .transaction(() => {
          for (const change of changes) update.run(...replaceValues(table, change));
        })
        .immediate();
    },
    async close() {
      // The log still holds what was sealed with the older key.
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}
