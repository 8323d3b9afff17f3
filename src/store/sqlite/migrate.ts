import type Database from 'better-sqlite3';
import { isSafeInt } from '../../domain/int.ts';
import type { Instant } from '../../domain/time.ts';
import { BadRow } from '../bad-row.ts';
import { type AppliedStep, checksumOf, type Migration, verifySteps } from '../migration.ts';

/**
 * Brings the database up to date: all missing steps or none, once, however many processes start together.
 *
 * @throws SchemaMismatch when the database is newer than the program, or a step that it has run was changed since.
 */
export function migrate(database: Database.Database, migrations: readonly Migration[], now: Instant): void {
  // IMMEDIATE: the second starter waits here, and then finds everything done.
  database.exec('begin immediate');
  try {
    database.exec(
      'create table if not exists schema_migrations (version integer primary key not null, name text not null, checksum text not null, applied_at integer not null) strict',
    );
    const applied = appliedSteps(database);
    verifySteps(applied, migrations);
    const note = database.prepare(
      'insert into schema_migrations (version, name, checksum, applied_at) values (?, ?, ?, ?)',
    );
    for (const [index, migration] of migrations.entries()) {
      if (index < applied.length) continue;
      database.exec(migration.sql);
      note.run(index + 1, migration.name, checksumOf(migration), now);
    }
    database.exec('commit');
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

function appliedSteps(database: Database.Database): AppliedStep[] {
  const rows = database
    .prepare<[], { version: unknown; checksum: unknown }>(
      'select version, checksum from schema_migrations order by version',
    )
    .all();
  return rows.map(({ version, checksum }, index) => {
    if (!isSafeInt(version) || typeof checksum !== 'string' || version !== index + 1) {
      throw new BadRow('schema_migrations', index + 1);
    }
    return { version, checksum };
  });
}
