import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { isSafeInt } from '../../domain/int.ts';
import type { Instant } from '../../domain/time.ts';
import { BadRow } from '../bad-row.ts';

/** One step of the schema, forward only. `sql` runs inside of the one transaction of all steps. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The database is not one that this program may touch; the message is for the operator. */
export class SchemaMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaMismatch';
  }
}

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
    for (const step of applied) verify(step, migrations);
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

interface AppliedStep {
  readonly version: number;
  readonly checksum: string;
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

function verify(step: AppliedStep, migrations: readonly Migration[]): void {
  const known = migrations[step.version - 1];
  if (known === undefined) {
    throw new SchemaMismatch(
      `the database was made by a newer version of this program (it has migration ${step.version}, this program knows ${migrations.length}): start that version, or restore an older copy`,
    );
  }
  if (checksumOf(known) !== step.checksum) {
    throw new SchemaMismatch(
      `migration ${known.name} is not the one that made this database: this program was changed, or the database is of another one`,
    );
  }
}

function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}
