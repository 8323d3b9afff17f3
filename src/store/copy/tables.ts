import { createHash } from 'node:crypto';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { attemptEvents, attemptEvidence, attempts } from '../postgres/attempt-tables.ts';
import {
  supplierDeliveries,
  supplierOrders,
  supplierPulls,
  supplierSlots,
} from '../postgres/supplier-tables.ts';
import {
  apiKeys,
  balances,
  budgetEntries,
  budgets,
  counters,
  inbox,
  listTotals,
  orderActions,
  orderChanges,
  orders,
  seenProducts,
  settings,
  smsRevisions,
} from '../postgres/tables.ts';
import { alerts, audit, orderCounts, orderFacts, smsTimes } from '../postgres/watch-tables.ts';

/** A table as both stores have it. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  /** The names of the columns by which its rows are told apart, and in whose order they are copied. */
  readonly key: readonly string[];
  /** The column that counts by itself, and goes on behind the last row copied. */
  readonly counting: string | null;
  /** Sums are kept in parts in PostgreSQL alone; what is copied is their first part. */
  readonly isInParts: boolean;
}

export interface CopiedColumn {
  readonly name: string;
  /** PostgreSQL's. */
  readonly type: string;
}

/** A row as both drivers are made to give it: texts as they are stored, truth as 0 and 1, bytes as bytes. */
export type CopiedRow = readonly CopiedValue[];
export type CopiedValue = string | number | Buffer | null;

const PART = 'slot';

/** What a row refers to comes before it. */
export const copiedTables: readonly CopiedTable[] = [
  attempts,
  attemptEvents,
  attemptEvidence,
  budgets,
  budgetEntries,
  orders,
  orderChanges,
  orderFacts,
  smsRevisions,
  orderActions,
  inbox,
  apiKeys,
  seenProducts,
  balances,
  listTotals,
  counters,
  settings,
  supplierOrders,
  supplierPulls,
  supplierDeliveries,
  supplierSlots,
  alerts,
  audit,
  orderCounts,
  smsTimes,
].map(describe);

function describe(table: PgTable): CopiedTable {
  const all: readonly PgColumn[] = Object.values(getTableColumns(table));
  const { name, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? all.filter(({ primary }) => primary);
  const columns = all.filter((column) => column.name !== PART);
  return {
    name,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().replaceAll('"', ''),
    })),
    key: key.map((column) => column.name).filter((column) => column !== PART),
    counting: all.find(({ generatedIdentity }) => generatedIdentity !== undefined)?.name ?? null,
    isInParts: columns.length < all.length,
  };
}

/** What a table holds, in one number: equal where, and only where, all of its rows are. */
export interface TableSum {
  readonly rows: number;
  readonly checksum: string;
}

/** Adds rows up, in the order of their key. */
export function createSum() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(row: CopiedRow): void {
      rows += 1;
      // Each value with its kind and length: no two different rows print alike.
      hash.update(
        `${JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? { x: value.toString('hex') } : value)))}\n`,
      );
    },
    result: (): TableSum => ({ rows, checksum: hash.digest('hex') }),
  };
}

/** The key of a row, for going on behind it. */
export function keyOf(table: CopiedTable, row: CopiedRow): readonly (string | number)[] {
  return table.key.map((name) => {
    const value = row[table.columns.findIndex((column) => column.name === name)];
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`a row of ${table.name} has no key`);
    }
    return value;
  });
}
