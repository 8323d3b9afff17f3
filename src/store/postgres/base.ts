import type { Instant } from '../../domain/time.ts';
import type { Database } from './database.ts';
import type { LockSpaces } from './lock-spaces.ts';
import { SERVER_NOW } from './transaction.ts';

/** What every port of the store is built upon. */
export interface Base {
  readonly database: Database;
  /** For statements that compare with the time (`TIME`): null, or the clock that stands for the server's own. */
  at(): Instant | null;
  readonly spaces: LockSpaces;
}

/** The store's clock in a statement whose parameter of that number is `at()`. */
export function time(parameter: number): string {
  return `coalesce($${parameter}::bigint, ${SERVER_NOW})`;
}
