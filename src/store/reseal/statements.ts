import type { KeptRow, SealedTable } from './sealed-tables.ts';

/** SQL that both databases understand; `mark` is how a driver writes its nth value. */
export interface ResealSql {
  /** Rows behind a key, in its order; without one, from the first. */
  select(table: SealedTable, isBehind: boolean, limit: number): string;
  /** Changes a row that still is as it was read. Values: the new ones, then all as they were. */
  replace(table: SealedTable): string;
}

export function resealSql(mark: (nth: number) => string): ResealSql {
  return {
    select(table, isBehind, limit) {
      const key = table.key.join(', ');
      const marks = table.key.map((_, index) => mark(index + 1)).join(', ');
      const behind = isBehind ? ` where (${key}) > (${marks})` : '';
      return `select ${columnsOf(table).join(', ')} from ${table.name}${behind} order by ${key} limit ${limit}`;
    },
    replace(table) {
      const sets = table.sealed.map((name, index) => `${name} = ${mark(index + 1)}`);
      const same = columnsOf(table).map(
        (name, index) => `${name} is not distinct from ${mark(table.sealed.length + index + 1)}`,
      );
      return `update ${table.name} set ${sets.join(', ')} where ${same.join(' and ')}`;
    },
  };
}

function columnsOf(table: SealedTable): readonly string[] {
  return [...table.key, ...table.beside, ...table.sealed];
}

export function keyValues(table: SealedTable, row: KeptRow): readonly KeptRow[string][] {
  return table.key.map((name) => row[name] ?? null);
}

export function replaceValues(table: SealedTable, { before, after }: Change): readonly KeptRow[string][] {
  return [
    ...table.sealed.map((name) => after[name] ?? null),
    ...columnsOf(table).map((name) => before[name] ?? null),
  ];
}

export interface Change {
  readonly before: KeptRow;
  readonly after: KeptRow;
}

/** The rows of one database, while gateways may serve from it. */
export interface SealedRows {
  count(table: SealedTable): Promise<number>;
  rowsAfter(table: SealedTable, last: KeptRow | null, limit: number): Promise<readonly KeptRow[]>;
  /** In one transaction. A row that changed meanwhile is left as it is. */
  replace(table: SealedTable, changes: readonly Change[]): Promise<void>;
  close(): Promise<void>;
}
