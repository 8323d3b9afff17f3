import type { Instant } from '../../domain/time.ts';
import type { Database } from './database.ts';
import { SERVER_NOW } from './transaction.ts';

/** What every port of the store is built upon. */
export interface Base {
  readonly database: Database;
  /** For statements that compare with the time (`TIME`): null, or the clock that stands for the server's own. */
  at(): Instant | null;
  readonly spaces: LockSpaces;
}

/** Name spaces of advisory locks on orders, apart from those of other schemas in the same database. */
export interface LockSpaces {
  /** Held by who works off an order's webhooks. */
  readonly work: number;
  /** Shared by who stores webhooks; taken alone by a read that brings a message, which must see all that were answered. */
  readonly arrivals: number;
}

/** The store's clock in a statement whose parameter of that number is `at()`. */
export function time(parameter: number): string {
  return `coalesce($${parameter}::bigint, ${SERVER_NOW})`;
}
