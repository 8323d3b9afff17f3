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
 * table's name, its parameters as question marks. By hand, because Drizzle maps each column of each row by its path, and
 * the driver makes objects at twice the time of lists: both take longer than SQLite does to find the row.
 */
export function rowFinder<Table extends SQLiteTable>(
  database: Database.Database,
  table: Table,
  rest: string,
): RowFinder<Table> {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.name,
    coded: column.mapFromDriverValue === asItIs ? null : column,
  }));
  const names = columns.map(({ name }) => name).join(', ');
  const statement = database
    .prepare<Parameter[], readonly unknown[]>(`select ${names} from ${getTableConfig(table).name} ${rest}`)
    .raw();
  const isRow = (_row: object, values: readonly unknown[]): _row is Table['$inferSelect'] =>
    values.length === columns.length;
  const rowOf = (values: readonly unknown[]): Table['$inferSelect'] => {
    const row: Record<string, unknown> = {};
    let at = 0;
    for (const { key, coded } of columns) {
      const value = values[at++];
      row[key] = value === null || coded === null ? value : coded.mapFromDriverValue(value);
    }
    if (!isRow(row, values)) throw new Error('a row has not the columns that were asked for');
    return row;
  };
  return {
    one(...parameters) {
      const values = statement.get(...parameters);
      return values === undefined ? undefined : rowOf(values);
    },
    all: (...parameters) => statement.all(...parameters).map(rowOf),
  };
}

const asItIs = Column.prototype.mapFromDriverValue;
