import { createHash } from 'node:crypto';

/** One step of a schema, forward only. `sql` runs inside of the one transaction of all steps. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** A step that a database has run; they are numbered from 1. */
export interface AppliedStep {
  readonly version: number;
  readonly checksum: string;
}

/** The database is not one that this program may touch; the message is for the operator. */
export class SchemaMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaMismatch';
  }
}

/** @throws SchemaMismatch when the database is newer than the program, or a step that it has run was changed since. */
export function verifySteps(applied: readonly AppliedStep[], migrations: readonly Migration[]): void {
  for (const { version, checksum } of applied) {
    const known = migrations[version - 1];
    if (known === undefined) {
      throw new SchemaMismatch(
        `the database was made by a newer version of this program (it has migration ${version}, this program knows ${migrations.length}): start that version, or restore an older copy`,
      );
    }
    if (checksumOf(known) !== checksum) {
      throw new SchemaMismatch(
        `migration ${known.name} is not the one that made this database: this program was changed, or the database is of another one`,
      );
    }
  }
}

export function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}
