import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SchemaMismatch } from '../../../src/store/migration.ts';
import * as attemptTables from '../../../src/store/postgres/attempt-tables.ts';
import { connectAlone } from '../../../src/store/postgres/connections.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { migrations } from '../../../src/store/postgres/migrations.ts';
import * as supplierTables from '../../../src/store/postgres/supplier-tables.ts';
import * as tables from '../../../src/store/postgres/tables.ts';
import * as watchTables from '../../../src/store/postgres/watch-tables.ts';
import { openInstance } from './support/instances.ts';
import { onServer } from './support/on-server.ts';
import { makeSchema, urlOf } from './support/postgres-database.ts';
import { findPostgres } from './support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('migrations of PostgreSQL', () => {
  let schemas: string[] = [];
  const clients: Client[] = [];
  let url: string;
  beforeEach(async () => {
    url = await fresh();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    await onServer(server ?? '', async (client) => {
      for (const schema of schemas) await client.query(`drop schema ${schema} cascade`);
    });
    schemas = [];
  });

  async function fresh(): Promise<string> {
    const schema = await makeSchema(server ?? '');
    schemas.push(schema);
    return urlOf(server ?? '', schema);
  }
  async function connect(to = url): Promise<Client> {
    const client = await connectAlone(to);
    clients.push(client);
    return client;
  }

  it('make the tables that the program is written for', async () => {
    const made = await connect();
    await migrate(made, migrations);
    const wanted = await connect(await fresh());
    const all = { ...attemptTables, ...tables, ...supplierTables, ...watchTables };
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(all));
    for (const sql of statements) await wanted.query(sql.replaceAll('"public".', ''));
    expect(await describeSchema(made)).toEqual(await describeSchema(wanted));
  });

  it('compare every text by its bytes', async () => {
    const client = await connect();
    await migrate(client, migrations);
    const { rows } = await client.query(
      `select table_name, column_name from information_schema.columns
       where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
         and table_name <> 'schema_migrations'`,
    );
    expect(rows).toEqual([]);
  });

  it('run once, however many start together', async () => {
    const instances = await Promise.all(Array.from({ length: 4 }, () => openInstance(url, 2)));
    const secrets = new Set(await Promise.all(instances.map(({ store }) => store.cursorSecret())));
    for (const instance of instances) await instance.close();
    expect(secrets.size).toBe(1);
    const { rows } = await (await connect()).query('select version from schema_migrations');
    expect(rows).toHaveLength(migrations.length);
  });

  it('run all or none: one that fails leaves the database as it was', async () => {
    const client = await connect();
    const broken = { name: 'broken', sql: 'create table half (a bigint); select nonsense' };
    await expect(migrate(client, [...migrations, broken])).rejects.toThrow(/nonsense/);
    const { rows } = await client.query(
      `select to_regclass('half') as half, to_regclass('attempts') as attempts`,
    );
    expect(rows).toEqual([{ half: null, attempts: null }]);
    await migrate(client, migrations);
  });

  it('refuse a database that is newer than the program, or whose steps were other ones', async () => {
    const client = await connect();
    await migrate(client, [...migrations, { name: '9999-next', sql: 'create table next (a bigint)' }]);
    const error: unknown = await openInstance(url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaMismatch);
    expect(String(error)).toMatch(/newer version/);
    await client.query('delete from schema_migrations where version > $1', [migrations.length]);
    await client.query(`update schema_migrations set checksum = 'x' where version = 1`);
    await expect(openInstance(url)).rejects.toThrow(/0001-initial/);
  });

  it('refuse to serve what is half copied', async () => {
    const client = await connect();
    await migrate(client, migrations);
    await client.query(`insert into copied_tables values ('inbox', 'x', 1, null, false)`);
    await expect(openInstance(url)).rejects.toThrow(/migrate-store/);
  });

  it('forbid to change or erase what was audited', async () => {
    const client = await connect();
    await migrate(client, migrations);
    await client.query(`insert into audit (at, actor, act, subject) values (0, 'shell', 'CREATE_KEY', 'k')`);
    await expect(client.query(`update audit set act = 'x'`)).rejects.toThrow(/only added to/);
    await expect(client.query('delete from audit')).rejects.toThrow(/only added to/);
  });

  it('refuse to read a number that JavaScript cannot keep', async () => {
    const instance = await openInstance(url);
    const client = await connect();
    await client.query(`insert into balances values (9007199254740993, 'IDR', 1, 0)`);
    await expect(instance.store.balances.latest()).rejects.toThrow(/safe range/);
    await instance.close();
  });
});

/** The schema as the server has understood it, however its SQL was written. */
async function describeSchema(client: Client) {
  const columns = await client.query(
    `select table_name, column_name, data_type, is_nullable, is_identity from information_schema.columns
     where table_schema = current_schema() and table_name <> 'schema_migrations' order by 1, 2`,
  );
  const indexes = await client.query(
    `select tablename, replace(regexp_replace(indexdef, '"|[a-z0-9_]+\\.', '', 'g'), indexname, case
       when indexname ~ '_(pk|pkey)$' or length(indexname) = 63 then 'the key' else indexname end) as definition
     from pg_indexes where schemaname = current_schema() and tablename <> 'schema_migrations' order by 1, 2`,
  );
  const references = await client.query(
    `select conrelid::regclass::text as name, confrelid::regclass::text as target, conkey, confkey
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2, 3`,
  );
  return { columns: columns.rows, indexes: indexes.rows, references: references.rows };
}
