import type Database from 'better-sqlite3';
import { Column, getTableColumns } from 'drizzle-orm';
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
  const valuesOf = encoder(columns);
  return (row) => statement.run(valuesOf(row)).changes > 0;
}

/**
 * A prepared update of the row with this `id`, but for the columns that are named. SQLite writes every index anew that
 * has one of the columns of an update, whether its value changes or not: those of an order have seven.
 */
export function rowUpdater<Table extends SQLiteTable>(
  database: Database.Database,
  table: Table,
  except: readonly (keyof Table['$inferInsert'] & string)[],
): RowWriter<Table> {
  const kept = new Set<string>(['id', ...except]);
  const columns = Object.entries(getTableColumns(table));
  const changed = columns.filter(([key]) => !kept.has(key));
  const changes = changed.map(([, { name }]) => `${name} = ?`).join(', ');
  const statement = database.prepare(`update ${getTableConfig(table).name} set ${changes} where id = ?`);
  const valuesOf = encoder([...changed, ...columns.filter(([key]) => key === 'id')]);
  return (row) => statement.run(valuesOf(row)).changes > 0;
}

function encoder(
  columns: readonly (readonly [key: string, column: Column])[],
): (row: Readonly<Record<string, unknown>>) => unknown[] {
  const steps = columns.map(([key, column]) => ({
    key,
    column: column.mapToDriverValue === asItIs ? null : column,
  }));
  return (row) =>
    steps.map(({ key, column }) => {
      const value = row[key];
      if (value === null || value === undefined) return null;
      return column === null ? value : column.mapToDriverValue(value);
    });
}

const asItIs = Column.prototype.mapToDriverValue;

function conflictClause(onConflict: OnConflict, names: readonly string[]): string {
  if (onConflict === 'fail') return '';
  if (onConflict === 'ignore') return ' on conflict do nothing';
  const { replaceBy } = onConflict;
  const changes = names
    .filter((name) => !replaceBy.includes(name))
    .map((name) => `${name} = excluded.${name}`);
  return ` on conflict (${replaceBy.join(', ')}) do update set ${changes.join(', ')}`;
}
