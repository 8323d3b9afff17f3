import { readdir, readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, instant } from '../../../src/domain/time.ts';
import { type Migration, SchemaMismatch } from '../../../src/store/migration.ts';
import * as attemptTables from '../../../src/store/sqlite/attempt-tables.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import { migrations } from '../../../src/store/sqlite/migrations.ts';
import * as supplierTables from '../../../src/store/sqlite/supplier-tables.ts';
import * as tables from '../../../src/store/sqlite/tables.ts';
import * as watchTables from '../../../src/store/sqlite/watch-tables.ts';
import { anyOrder, ofAll } from '../../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { readEverything } from './support/read-everything.ts';
import { runScript } from './support/run-script.ts';
import { describeSchema } from './support/schema.ts';
import { type SqliteDatabase, sqliteDatabase } from './support/sqlite-database.ts';

const now = instant(0);
const fixtures = new URL('fixtures/', import.meta.url);

describe('migrations', () => {
  let files: SqliteDatabase;
  beforeEach(async () => {
    files = await sqliteDatabase();
  });
  afterEach(() => files.drop());
  const open = () => files.open({ clock: fakeClock(), random: countingRandom(), wake: fakeWake() });

  function migrated(steps: readonly Migration[]): Database.Database {
    const database = new Database(files.file);
    migrate(database, steps, now);
    return database;
  }

  it('make the tables that the program is written for', async () => {
    const wanted = new Database(':memory:');
    const nothing = await generateSQLiteDrizzleJson({});
    const everything = await generateSQLiteDrizzleJson({
      ...attemptTables,
      ...tables,
      ...supplierTables,
      ...watchTables,
    });
    for (const statement of await generateSQLiteMigration(nothing, everything)) wanted.exec(statement);
    const made = migrated(migrations);
    expect(describeSchema(made)).toEqual(describeSchema(wanted));
    made.close();
    wanted.close();
  });

  it('keep every value in a column of its own type', () => {
    const database = migrated(migrations);
    const lax = database
      .prepare(
        `select name from pragma_table_list where type = 'table' and not strict and name not like 'sqlite_%'`,
      )
      .all();
    expect(lax).toEqual([]);
    database.close();
  });

  it('run once', async () => {
    await (await open()).close();
    const before = await files.query('select * from schema_migrations');
    await (await open()).close();
    expect(await files.query('select * from schema_migrations')).toEqual(before);
    expect(before).toHaveLength(migrations.length);
  });

  it('take the right to write first: read before, another starter could have migrated meanwhile', () => {
    migrated(migrations.slice(0, 1)).close();
    const statements: string[] = [];
    const database = new Database(files.file, { verbose: (statement) => statements.push(String(statement)) });
    migrate(database, migrations, now);
    database.close();
    expect(statements[0]).toBe('begin immediate');
    expect(statements.filter((statement) => statement === 'commit')).toHaveLength(1);
  });

  it('run all or none: one that fails leaves the database as it was', () => {
    migrated(migrations).close();
    const broken = { name: 'broken', sql: 'create table half (a integer) strict; select nonsense;' };
    expect(() => migrated([...migrations, broken])).toThrow(/nonsense/);
    const database = migrated(migrations);
    expect(describeSchema(database)).not.toHaveProperty('half');
    database.close();
  });

  it('leave nothing behind when the process is killed half way, and run at the next start', async () => {
    const script = runScript('migrate-and-die', files.file);
    expect(await script.ended).toBe('SIGKILL');
    const store = await open();
    await expect(store.check()).resolves.toBeUndefined();
    expect(await files.query(`select name from sqlite_schema where name in ('half', 'whole')`)).toEqual([]);
    expect(await files.query('select version from schema_migrations')).toHaveLength(migrations.length);
  });

  it('refuse a database that is newer than the program, and leave it alone', async () => {
    const next = { name: '9999-next', sql: 'create table next (a integer) strict' };
    migrated([...migrations, next]).close();
    const error: unknown = await open().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaMismatch);
    expect(String(error)).toMatch(/newer version/);
    expect(await files.query('select version from schema_migrations')).toHaveLength(migrations.length + 1);
  });

  it('refuse a database whose steps were other ones', async () => {
    await (await open()).close();
    await files.query(`update schema_migrations set checksum = 'x' where version = 1`);
    await expect(open()).rejects.toThrow(/0001-initial/);
  });

  it('bring each older database up to date with all it holds', async () => {
    const names = (await readdir(fixtures)).sort();
    // One for each version there ever was: what a step does to rows is seen only on rows.
    expect(names).toEqual(migrations.map(({ name }) => `${name}.sql`));
    for (const [index, name] of names.entries()) {
      const old = await sqliteDatabase();
      const database = new Database(old.file);
      migrate(database, migrations.slice(0, index + 1), now);
      database.exec(await readFile(new URL(name, fixtures), 'utf8'));
      database.close();
      const clock = fakeClock();
      clock.pass(HOUR);
      const store = await old.open({ clock, random: countingRandom(), wake: fakeWake() });
      const all = await readEverything(store);
      for (const [what, rows] of Object.entries(all)) expect(rows, `${what} of ${name}`).not.toHaveLength(0);
      const { total } = await store.orders.page(ofAll, anyOrder, { first: 1, after: null });
      expect(total).toBe(all.orders.length);
      await old.drop();
    }
  });
});
