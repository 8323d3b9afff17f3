import { randomBytes } from 'node:crypto';
import { Client, types } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { openPostgresStore } from '../../../../src/store/postgres/open.ts';
import { systemClock } from '../../../../src/system-clock.ts';
import { systemRandom } from '../../../../src/system-random.ts';
import { createPostgresWake, type PostgresWake } from '../../../../src/wake/postgres.ts';
import { testCipher } from '../../../conformance/support/cipher.ts';
import type { TestDatabase, WholeStore } from '../../../conformance/support/database.ts';
import { onServer } from './on-server.ts';
import { silentLog } from './silent-log.ts';

export interface PostgresDatabase extends TestDatabase {
  /** Of its schema alone. */
  readonly url: string;
  /** What connections of its stores call themselves, and no others on the server. */
  readonly application: string;
  /** A connection of the test's own, closed with the database. */
  connect(): Promise<Client>;
  /** Erases all rows while stores are open. */
  empty(): Promise<void>;
}

/** What was left by runs that were killed, which drop nothing, is dropped after this by the next one that starts. */
const OLD = 3_600_000;
/** One number for all runs: of two that drop the same schema, the later one would fail. */
const DROPPING_LOCK = 5_477_203_917;

/**
 * Databases for the tests of one file, each a schema of its own. A schema is made once and emptied between tests: making
 * its tables takes longer than most of them. To be called while tests are described.
 */
export function usePostgres(server: string): () => Promise<PostgresDatabase> {
  const free: string[] = [];
  const all: string[] = [];
  beforeAll(() => onServer(server, dropOld));
  afterAll(async () => {
    await onServer(server, async (client) => {
      for (const schema of all) await client.query(`drop schema ${schema} cascade`);
    });
  });

  return async () => {
    const schema = free.pop() ?? (await makeSchema(server));
    if (!all.includes(schema)) all.push(schema);
    return databaseIn(server, schema, async (client) => {
      await empty(client);
      free.push(schema);
    });
  };
}

const spare: string[] = [];

/** The same for a test that was not told of beforehand: schemas go from test to test, and are dropped with the run. */
export async function postgresDatabase(server: string): Promise<PostgresDatabase> {
  const schema = spare.pop() ?? (await makeSchema(server));
  return databaseIn(server, schema, async (client) => {
    await empty(client);
    spare.push(schema);
  });
}

/** `leave` is done when the test's stores are closed. */
function databaseIn(
  server: string,
  schema: string,
  leave: (client: Client) => Promise<unknown>,
): PostgresDatabase {
  const url = urlOf(server, schema);
  const opened: { readonly store: WholeStore; readonly wake: PostgresWake }[] = [];
  const clients: Client[] = [];
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: url, types: { getTypeParser: typeParser } });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`set application_name = 'test'`);
    clients.push(client);
    return client;
  };
  let raw: Client | null = null;
  return {
    url,
    application: schema,
    connect,
    async open({ clock, random, wake: local }) {
      const wake = await createPostgresWake({
        url,
        local,
        clock: systemClock,
        random: systemRandom,
        log: silentLog,
      });
      const store = await openPostgresStore({
        url,
        wake,
        random,
        cipher: testCipher,
        clock,
        timers: systemClock,
        poolSize: 4,
      });
      opened.push({ store, wake });
      return store;
    },
    async empty() {
      raw ??= await connect();
      await empty(raw);
    },
    async query(sql) {
      raw ??= await connect();
      return (await raw.query(sql)).rows;
    },
    async drop() {
      for (const { store, wake } of opened) {
        await store.close();
        await wake.close();
      }
      raw ??= await connect();
      await leave(raw);
      for (const client of clients) await client.end();
    },
  };
}

export function urlOf(server: string, schema: string): string {
  const url = new URL(server);
  // Nothing of a test outlives a power cut.
  url.searchParams.set('application_name', schema);
  url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`);
  return url.href;
}

export async function makeSchema(server: string): Promise<string> {
  const schema = `test_${Date.now()}_${process.env['TEST_RUN'] ?? ''}${randomBytes(4).toString('hex')}`;
  await onServer(server, (client) => client.query(`create schema ${schema}`));
  return schema;
}

/** Whoever finds another at it leaves it to that one. */
async function dropOld(client: Client): Promise<void> {
  const { rows: locks } = await client.query('select pg_try_advisory_lock($1) as ours', [DROPPING_LOCK]);
  if (locks[0]?.ours !== true) return;
  const { rows } = await client.query<{ nspname: string }>(
    `select nspname from pg_namespace where nspname ~ '^(test|measure)_[0-9]+_[0-9a-f]+$'`,
  );
  for (const { nspname } of rows) {
    if (Date.now() - Number(nspname.split('_')[1]) > OLD) {
      await client.query(`drop schema if exists ${nspname} cascade`);
    }
  }
}

/** All rows, in an order that foreign keys allow; the migrations stay. */
export async function empty(client: Client): Promise<void> {
  const tables = [
    'attempt_events, attempt_evidence, budget_entries, order_changes, sms_revisions, order_facts, orders, attempts',
    'budgets, order_actions, inbox, api_keys, seen_products, balances, list_totals, settings, order_counts, sms_times',
    'supplier_deliveries, supplier_orders, supplier_pulls, supplier_slots, alerts, copied_tables, day_sums, summed_days',
  ];
  const exists = await client.query(`select to_regclass('counters') as name`);
  if (exists.rows[0]?.name === null) return;
  const deletes = tables
    .join(', ')
    .split(', ')
    .map((table) => `delete from ${table}`);
  await client.query(
    [...deletes, 'truncate audit restart identity', 'update counters set value = 0'].join('; '),
  );
}

/** Counts and ids as numbers. */
function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === types.builtins.INT8
    ? Number
    : types.getTypeParser(oid, format === 'binary' ? 'text' : format);
}
