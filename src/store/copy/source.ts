import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { formatInstant, type Instant } from '../../domain/time.ts';
import { BACKUP_MARK } from '../sqlite/backup.ts';
import { isBusy } from '../sqlite/errors.ts';
import { migrate } from '../sqlite/migrate.ts';
import { migrations } from '../sqlite/migrations.ts';
import {
  type CopiedRow,
  type CopiedTable,
  type CopiedValue,
  createSum,
  keyOf,
  type TableSum,
} from './tables.ts';

/** A SQLite database that nobody else has open, and nobody can change meanwhile. */
export interface Source {
  sum(table: CopiedTable): TableSum;
  /** Rows behind a key, in its order; null: from the first. */
  rowsAfter(table: CopiedTable, after: readonly (string | number)[] | null, limit: number): CopiedRow[];
  /** It bears the mark of a copy: a gateway does not serve from it unless somebody says that it may. */
  isRetired(): boolean;
  /** Marks it so, as of then. The mark itself is no row to be copied. */
  retire(at: Instant): void;
  close(): void;
}

const CHUNK = 1_000;

/** Brings its schema up to date. @throws Error, for the operator, when there is no such file or a gateway still runs on it. */
export function openSource(file: string, now: Instant): Source {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const database = new Database(file, { timeout: 0 });
  try {
    // Another connection, even one that only might write, keeps this one out.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('synchronous = FULL');
    database.exec('begin exclusive; commit');
    migrate(database, migrations, now);
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(`${file} is in use: stop the gateway that runs on it first`);
  }

  function rowsAfter(
    table: CopiedTable,
    after: readonly (string | number)[] | null,
    limit: number,
  ): CopiedRow[] {
    const columns = table.columns.map(({ name }) => name).join(', ');
    const key = table.key.join(', ');
    const isCopied = table.name === 'settings' ? `name <> '${BACKUP_MARK}'` : 'true';
    const behind = after === null ? '' : ` and (${key}) > (${after.map(() => '?').join(', ')})`;
    const rows = database
      .prepare<unknown[], readonly unknown[]>(
        `select ${columns} from ${table.name} where ${isCopied}${behind} order by ${key} limit ${limit}`,
      )
      .raw()
      .all(...(after ?? []));
    return rows.map((row) => row.map((value) => sourceValue(table, value)));
  }

  return {
    rowsAfter,
    sum(table) {
      const sum = createSum();
      let last: readonly (string | number)[] | null = null;
      for (;;) {
        const rows = rowsAfter(table, last, CHUNK);
        for (const row of rows) sum.add(row);
        const end = rows.at(-1);
        if (end === undefined) return sum.result();
        last = keyOf(table, end);
      }
    },
    isRetired: () => database.prepare('select 1 from settings where name = ?').get(BACKUP_MARK) !== undefined,
    retire(at) {
      database
        .prepare(
          'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        )
        .run(BACKUP_MARK, formatInstant(at));
    },
    close: () => void database.close(),
  };
}

function sourceValue(table: CopiedTable, value: unknown): CopiedValue {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new Error(`a value of ${table.name} cannot be copied`);
}
