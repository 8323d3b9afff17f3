import { createHash } from 'node:crypto';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { isSafeInt } from '../../domain/int.ts';
import { BadRow } from '../bad-row.ts';

/** A statement that each connection parses once, under its name, and what makes a value of a row that it returns. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  read(raw: readonly unknown[]): Row;
}

/** A statement over any number of rows, each column of which is one parameter. */
export interface BulkStatement<New, Row> extends Statement<Row> {
  values(rows: readonly New[]): unknown[];
}

/** A row as its table takes it. A key left out is null. */
export type NewRow<Table extends PgTable> = Table['$inferInsert'] & Readonly<Record<string, unknown>>;

export function statement<Row>(text: string, read: (raw: readonly unknown[]) => Row): Statement<Row> {
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 24), text, read };
}

/** One that returns nothing. */
export function command(text: string): Statement<null> {
  return statement(text, () => null);
}

/** Whole rows of a table; `rest` is what follows the table's name in the query. */
export function select<Table extends PgTable>(table: Table, rest: string): Statement<Table['$inferSelect']> {
  return statement(`select ${columnList(table)} from ${nameOf(table)} ${rest}`, rowsOf(table));
}

/** Rows of one table, each with one of another that `rest` joins to it, or none. */
export function selectPairs<A extends PgTable, B extends PgTable>(
  a: A,
  b: B,
  rest: string,
): Statement<readonly [A['$inferSelect'], B['$inferSelect'] | null]> {
  const width = columnsOf(a).length;
  const [readA, readB] = [rowsOf(a), rowsOf(b)];
  return statement(`select ${columnList(a)}, ${columnList(b)} from ${nameOf(a)} ${rest}`, (raw) => [
    readA(raw.slice(0, width)),
    // A key is never null.
    raw[width] === null ? null : readB(raw.slice(width)),
  ]);
}

/** `text` ends in `returning`; the table's columns follow. */
export function returning<Table extends PgTable>(
  table: Table,
  text: string,
): Statement<Table['$inferSelect']> {
  return statement(`${text} returning ${columnList(table)}`, rowsOf(table));
}

/** Inserts rows in their order. A column that counts by itself is left to do so. */
export function insertInto<Table extends PgTable>(
  table: Table,
  onConflict = '',
): BulkStatement<NewRow<Table>, null> {
  const columns = columnsOf(table).filter(([, column]) => column.generatedIdentity === undefined);
  const names = columns.map(([, column]) => column.name).join(', ');
  const text = `insert into ${nameOf(table)} (${names}) select * from ${unnested(columns)} ${onConflict}`;
  return { ...command(text.trim()), values: (rows) => arraysOf(columns, rows) };
}

/** Writes rows that are there, and locked, anew. */
export function update<Table extends PgTable>(
  table: Table,
  ...by: readonly string[]
): BulkStatement<NewRow<Table>, null> {
  const columns = columnsOf(table);
  const names = columns.map(([, column]) => column.name);
  const changes = names.filter((name) => !by.includes(name)).map((name) => `${name} = new.${name}`);
  const where = by.map((name) => `${nameOf(table)}.${name} = new.${name}`).join(' and ');
  const text = `update ${nameOf(table)} set ${changes.join(', ')} from ${unnested(columns)} as new (${names.join(', ')}) where ${where}`;
  return { ...command(text), values: (rows) => arraysOf(columns, rows) };
}

/** What `on conflict` says to have the row that is there replaced. */
export function replacing(table: PgTable, ...by: readonly string[]): string {
  const names = columnsOf(table).map(([, column]) => column.name);
  const changes = names.filter((name) => !by.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `on conflict (${by.join(', ')}) do update set ${changes.join(', ')}`;
}

/**
 * A whole number as the driver gives it, in text.
 *
 * @throws BadRow beyond what JavaScript keeps exactly: it is refused, never rounded.
 */
export function wholeNumber(raw: unknown): number {
  const value = typeof raw === 'string' ? Number(raw) : raw;
  if (!isSafeInt(value)) throw new BadRow('the database', 'a number beyond the safe range');
  return value;
}

type Column = readonly [key: string, column: PgColumn];

function columnsOf(table: PgTable): readonly Column[] {
  return Object.entries(getTableColumns(table));
}

function nameOf(table: PgTable): string {
  return getTableConfig(table).name;
}

function columnList(table: PgTable): string {
  return columnsOf(table)
    .map(([, column]) => `${nameOf(table)}.${column.name}`)
    .join(', ');
}

function unnested(columns: readonly Column[]): string {
  const arrays = columns.map(
    ([, column], index) => `$${index + 1}::${column.getSQLType().replaceAll('"', '')}[]`,
  );
  return `unnest(${arrays.join(', ')})`;
}

function arraysOf(columns: readonly Column[], rows: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return columns.map(([key, column]) =>
    rows.map((row) => {
      const value = row[key];
      return value === null || value === undefined ? null : column.mapToDriverValue(value);
    }),
  );
}

function rowsOf<Table extends PgTable>(table: Table): (raw: readonly unknown[]) => Table['$inferSelect'] {
  const columns = columnsOf(table);
  const kinds = columns.map(([key, column]) => ({ key, isNotNull: column.notNull, kind: kindOf(column) }));

  function isRow(row: unknown): row is Table['$inferSelect'] {
    if (typeof row !== 'object' || row === null) return false;
    return kinds.every(({ key, isNotNull, kind }) => {
      const value: unknown = Reflect.get(row, key);
      if (value === null) return !isNotNull;
      return kind === 'bytes' ? Buffer.isBuffer(value) : typeof value === kind;
    });
  }

  return (raw) => {
    const row: Record<string, unknown> = {};
    columns.forEach(([key, column], index) => {
      const value = raw[index];
      if (value === null) row[key] = null;
      else row[key] = column.dataType === 'number' ? wholeNumber(value) : column.mapFromDriverValue(value);
    });
    if (!isRow(row)) throw new BadRow(nameOf(table), String(raw[0]));
    return row;
  };
}

function kindOf(column: PgColumn): 'number' | 'boolean' | 'string' | 'bytes' {
  if (column.dataType === 'number' || column.dataType === 'boolean') return column.dataType;
  return column.getSQLType().includes('bytea') ? 'bytes' : 'string';
}
