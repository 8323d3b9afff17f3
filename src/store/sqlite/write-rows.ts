import type Database from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A row as the table takes it. A key left out is null, and gives a number to a column that counts by itself. */
export type NewRow<Table extends SQLiteTable> = Table['$inferInsert'] & Readonly<Record<string, unknown>>;

/** What becomes of a row whose key is there already. */
export type OnConflict = 'fail' | 'ignore' | { readonly replaceBy: readonly string[] };

/** Returns false when the row was there, and was left as it was. */
export type RowWriter<Table extends SQLiteTable> = (row: NewRow<Table>) => boolean;

/**
 * A prepared insert of whole rows. By hand, because a placeholder of Drizzle's passes null through a column's encoder
 * (a null boolean would be kept as false), and a statement it builds for each call costs ten times its running.
 */
export function rowWriter<Table extends SQLiteTable>(
  database: Database.Database,
  table: Table,
  onConflict: OnConflict,
): RowWriter<Table> {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => column.name);
  const statement = database.prepare(
    `insert into ${getTableConfig(table).name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})${conflictClause(onConflict, names)}`,
  );
  return (row) => {
    const values = columns.map(([key, column]) => {
      const value = row[key];
      return value === null || value === undefined ? null : column.mapToDriverValue(value);
    });
    return statement.run(values).changes > 0;
  };
}

function conflictClause(onConflict: OnConflict, names: readonly string[]): string {
  if (onConflict === 'fail') return '';
  if (onConflict === 'ignore') return ' on conflict do nothing';
  const { replaceBy } = onConflict;
  const changes = names
    .filter((name) => !replaceBy.includes(name))
    .map((name) => `${name} = excluded.${name}`);
  return ` on conflict (${replaceBy.join(', ')}) do update set ${changes.join(', ')}`;
}
