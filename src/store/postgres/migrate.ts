import type { Client } from 'pg';
import { isSafeInt } from '../../domain/int.ts';
import { BadRow } from '../bad-row.ts';
import { type AppliedStep, checksumOf, type Migration, SchemaMismatch, verifySteps } from '../migration.ts';
import { SERVER_NOW } from './transaction.ts';

/** One number for all programs that migrate: two of them, of whatever age, never do so at once in one database. */
const MIGRATION_LOCK = 5_477_203_916;

/**
 * Brings the database up to date: all missing steps or none, once, however many instances start together.
 *
 * @throws SchemaMismatch when the database is newer than the program, of another one, or the target of a copy that is
 * not finished.
 */
export async function migrate(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query('begin');
  try {
    // The second starter waits here, and then finds everything done.
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists schema_migrations (version bigint primary key, name text not null, checksum text not null, applied_at bigint not null)',
    );
    const applied = await appliedSteps(client);
    verifySteps(applied, migrations);
    for (const [index, migration] of migrations.entries()) {
      if (index < applied.length) continue;
      await client.query(migration.sql);
      await client.query(
        `insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, ${SERVER_NOW})`,
        [index + 1, migration.name, checksumOf(migration)],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** @throws SchemaMismatch while a copy from another store is not finished: half of the books would be served. */
export async function refuseHalfCopied(client: Client): Promise<void> {
  const { rows } = await client.query('select 1 from copied_tables where not verified limit 1');
  if (rows.length === 0) return;
  throw new SchemaMismatch(
    'a copy from a SQLite file into this database was begun and not finished: run `switchboard migrate-store` again',
  );
}

async function appliedSteps(client: Client): Promise<AppliedStep[]> {
  const { rows } = await client.query({
    text: 'select version, checksum from schema_migrations order by version',
    rowMode: 'array',
  });
  return rows.map((row: readonly unknown[], index) => {
    const [version, checksum] = row;
    const number = Number(version);
    if (!isSafeInt(number) || typeof checksum !== 'string' || number !== index + 1) {
      throw new BadRow('schema_migrations', index + 1);
    }
    return { version: number, checksum };
  });
}
