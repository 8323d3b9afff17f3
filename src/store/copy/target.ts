import type { Client } from 'pg';
import { wholeNumber } from '../postgres/statements.ts';
import {
  type CopiedRow,
  type CopiedTable,
  type CopiedValue,
  copiedTables,
  createSum,
  keyOf,
  type TableSum,
} from './tables.ts';

/** One copy at a time into one database. */
const COPY_LOCK = 5_477_203_917;
const CHUNK = 1_000;

/** How far a copy of one table has come. */
export interface Progress {
  readonly checksum: string;
  /** The key of the last row brought; null: none yet. */
  readonly last: readonly (string | number)[] | null;
  readonly verified: boolean;
}

export interface Target {
  progress(): Promise<ReadonlyMap<string, Progress>>;
  /** Whether anything is kept here that did not come by a copy. */
  isUsed(): Promise<boolean>;
  /** Empties everything, and writes down what is to come. */
  begin(sums: ReadonlyMap<string, TableSum>): Promise<void>;
  /** Adds rows and the place behind them, in one transaction. */
  add(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** Rows that are there. */
  count(table: CopiedTable): Promise<number>;
  sum(table: CopiedTable): Promise<TableSum>;
  /** All tables are what they were at the source: from now on a gateway may serve from them. */
  finish(): Promise<void>;
}

/** @throws Error, for the operator, when another copy is under way. The schema must be up to date. */
export async function openTarget(client: Client): Promise<Target> {
  const { rows: locks } = await client.query('select pg_try_advisory_lock($1) as ours', [COPY_LOCK]);
  if (locks[0]?.ours !== true) throw new Error('another copy into this database is under way');

  async function inTransaction(work: () => Promise<void>): Promise<void> {
    await client.query('begin');
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }

  return {
    async progress() {
      const { rows } = await client.query<unknown[]>({
        text: 'select name, checksum, last, verified from copied_tables',
        rowMode: 'array',
      });
      return new Map(
        rows.map(([name, checksum, last, verified]) => [
          String(name),
          { checksum: String(checksum), last: parseKey(last), verified: verified === true },
        ]),
      );
    },
    async isUsed() {
      // A start makes a secret, tries a write and takes turns, which the copy's own replace; counters stand at 0 until then.
      const kept: Readonly<Record<string, string>> = {
        settings: `where name not in ('cursor-secret', 'last-check')`,
        counters: `where value <> 0 and name not like 'turn:%' and name not like 'instance:%'`,
      };
      for (const { name } of copiedTables) {
        const { rows } = await client.query(`select 1 from ${name} ${kept[name] ?? ''} limit 1`);
        if (rows.length > 0) return true;
      }
      return false;
    },
    begin: (sums) =>
      inTransaction(async () => {
        // Sums of days are no rows to be copied: they are made of those of hours.
        const others = 'copied_tables, day_sums, summed_days';
        await client.query(`truncate ${copiedTables.map(({ name }) => name).join(', ')}, ${others}`);
        for (const [name, { rows, checksum }] of sums) {
          await client.query(
            'insert into copied_tables (name, checksum, rows, last, verified) values ($1, $2, $3, null, false)',
            [name, checksum, rows],
          );
        }
      }),
    add: (table, rows) =>
      inTransaction(async () => {
        const last = rows.at(-1);
        if (last === undefined) return;
        const names = table.columns.map(({ name }) => name);
        const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
        const part = table.isInParts ? { names: ', slot', values: ', 0' } : { names: '', values: '' };
        await client.query(
          `insert into ${table.name} (${names.join(', ')}${part.names})
           select ${names.join(', ')}${part.values} from unnest(${arrays.join(', ')}) as new (${names.join(', ')})`,
          table.columns.map(({ type }, index) => rows.map((row) => targetValue(type, row[index] ?? null))),
        );
        await client.query('update copied_tables set last = $2 where name = $1', [
          table.name,
          JSON.stringify(keyOf(table, last)),
        ]);
      }),
    async count({ name }) {
      const { rows } = await client.query<unknown[]>({
        text: `select count(*) from ${name}`,
        rowMode: 'array',
      });
      return wholeNumber(rows[0]?.[0]);
    },
    async sum(table) {
      const sum = createSum();
      const columns = table.columns.map(({ name }) => name).join(', ');
      const key = table.key.join(', ');
      let after: readonly (string | number)[] | null = null;
      for (;;) {
        const marks: string = table.key.map((_, index) => `$${index + 1}`).join(', ');
        const behind: string = after === null ? '' : `where (${key}) > (${marks})`;
        const { rows } = await client.query<unknown[]>({
          text: `select ${columns} from ${table.name} ${behind} order by ${key} limit ${CHUNK}`,
          values: [...(after ?? [])],
          rowMode: 'array',
        });
        const read = rows.map((row) =>
          row.map((value, index) => readValue(table.columns[index]?.type, value)),
        );
        for (const row of read) sum.add(row);
        const last = read.at(-1);
        if (last === undefined) return sum.result();
        after = keyOf(table, last);
      }
    },
    finish: () =>
      inTransaction(async () => {
        for (const { name, counting } of copiedTables) {
          if (counting === null) continue;
          await client.query(
            `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${counting}), 0) + 1, false) from ${name}`,
            [name, counting],
          );
        }
        await client.query('update copied_tables set verified = true');
      }),
  };
}

function targetValue(type: string, value: CopiedValue): CopiedValue | boolean {
  return type === 'boolean' && value !== null ? value === 1 : value;
}

function readValue(type: string | undefined, value: unknown): CopiedValue {
  if (value === null || Buffer.isBuffer(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  return type === 'bigint' ? wholeNumber(value) : String(value);
}

function parseKey(last: unknown): readonly (string | number)[] | null {
  if (typeof last !== 'string') return null;
  const parsed: unknown = JSON.parse(last);
  if (!Array.isArray(parsed)) throw new Error('the place of a copy cannot be read');
  return parsed.map((part) => (typeof part === 'number' ? part : String(part)));
}
