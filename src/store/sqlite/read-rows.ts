import type Database from 'better-sqlite3';
import { Column, getTableColumns } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';

type Parameter = string | number | null;

/** Whole rows of one table, by a condition that was prepared. */
export interface RowFinder<Table extends SQLiteTable> {
  one(...parameters: Parameter[]): Table['$inferSelect'] | undefined;
  all(...parameters: Parameter[]): Table['$inferSelect'][];
}

/**
 * A prepared select of whole rows, for what each webhook and each paid request reads. `rest` is what stands behind the
 * table's name, its parameters as question marks. By hand, because Drizzle maps each column of each row anew, which
 * takes longer than SQLite does to find the row.
 */
export function rowFinder<Table extends SQLiteTable>(
  database: Database.Database,
  table: Table,
  rest: string,
): RowFinder<Table> {
  const columns = Object.entries(getTableColumns(table));
  const coded = columns.filter(([, { mapFromDriverValue }]) => mapFromDriverValue !== asItIs);
  const selected = columns.map(([key, { name }]) => `${name} as "${key}"`).join(', ');
  const statement = database.prepare<Parameter[], Table['$inferSelect']>(
    `select ${selected} from ${getTableConfig(table).name} ${rest}`,
  );
  const decoded = (row: Table['$inferSelect']): Table['$inferSelect'] => {
    for (const [key, column] of coded) {
      const value: unknown = Reflect.get(row, key);
      if (value !== null) Reflect.set(row, key, column.mapFromDriverValue(value));
    }
    return row;
  };
  return {
    one(...parameters) {
      const row = statement.get(...parameters);
      return row === undefined ? undefined : decoded(row);
    },
    all: (...parameters) => statement.all(...parameters).map(decoded),
  };
}

const asItIs = Column.prototype.mapFromDriverValue;
