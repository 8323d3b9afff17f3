import type { TestDatabase } from '../conformance/support/database.ts';
import { findPostgres } from '../store/postgres/support/services.ts';
import { sqliteDatabase } from '../store/sqlite/support/sqlite-database.ts';
import { must } from './values.ts';

/** Calls of stores that work in real time: a fake clock must not move on before they are answered. */
const underWay = new Set<Promise<unknown>>();

/** A database for one test: SQLite's, or PostgreSQL's where TEST_STORE says so, as vitest.config.ts does for a project. */
export async function databaseUnderTest(): Promise<TestDatabase> {
  if (process.env['TEST_STORE'] !== 'postgres') return sqliteDatabase();
  const { postgresDatabase } = await import('../store/postgres/support/postgres-database.ts');
  return postgresDatabase(must(findPostgres()));
}

/** The same store, whose calls are waited for by `answered`. */
export function watched<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'object' && value !== null) return watched(value);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        if (result instanceof Promise) {
          const over = (): void => {
            underWay.delete(done);
          };
          const done: Promise<void> = result.then(over, over);
          underWay.add(done);
        }
        return result;
      };
    },
  });
}

/** Waits for the calls under way. False: there were none. */
export async function answered(): Promise<boolean> {
  if (underWay.size === 0) return false;
  await Promise.all(underWay);
  return true;
}
