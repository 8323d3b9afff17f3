import type Database from 'better-sqlite3';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Writer } from './writer.ts';

/** What every port of the store is built upon: one connection, raw and typed, and the one way to write on it. */
export interface Base {
  readonly database: Database.Database;
  readonly db: BetterSQLite3Database;
  readonly writer: Writer;
}

/** `column in (…)` for a list of any length in one prepared statement; the parameter is the list as JSON. */
export function inList(column: SQLiteColumn, parameter: string): SQL {
  return sql`${column} in (select value from json_each(${sql.placeholder(parameter)}))`;
}

/** A parameter where Drizzle takes an expression, in the set clause of a prepared update. */
export function parameter(name: string): SQL {
  return sql`${sql.placeholder(name)}`;
}

/**
 * A limit given as a parameter, for statements by hand. SQLite plans by a bare `limit ?`, and so prepares the statement anew
 * each time that one is bound, which takes longer than finding a message. An expression it leaves alone.
 */
export const boundLimit = 'limit +?';
