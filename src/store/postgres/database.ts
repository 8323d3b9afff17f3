import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import type { Clock } from '../../ports/clock.ts';
import type { CarriedWake } from '../../ports/wake.ts';
import { StoreUnavailable } from '../unavailable.ts';
import { type Failure, failureOf } from './errors.ts';
import type { Statement } from './statements.ts';
import { CommitLost, type Outcome, runTransaction, type Transaction } from './transaction.ts';

/** Tries of one operation, where the server undid it for another's sake or the connection was lost before its COMMIT. */
const MOST_TRIES = 6;
/** How long to wait for the database to come back when a COMMIT was cut off: as long as a standby takes to be promoted. */
const WAITS_AFTER_COMMIT = [50, 100, 200, 400, 800, 1_000, 1_000, 2_000, 2_000, 2_000, 2_000];

/** The database, as operations see it. Everything rejects with StoreUnavailable where the database is not there or full. */
export interface Database {
  /** One read, which sees what was committed before. */
  read<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs an operation in a transaction, again from the beginning where it has to be: what it does besides must bear that.
   * Resolves once the commit is durable, and wakes then. When the COMMIT was cut off, the operation runs again
   * with `mayBeKept` and finds its own work, or does it.
   */
  write<Result>(work: (tx: Transaction) => Promise<Outcome<Result>>): Promise<Result>;
  /** Ends what was asked for, and refuses everything after. */
  close(): Promise<void>;
}

export interface DatabaseParts {
  readonly pool: Pool;
  readonly wake: CarriedWake;
  /** Stands for the server's own clock, where tests want it. */
  readonly clock: Pick<Clock, 'now'> | null;
  readonly timers: Pick<Clock, 'sleep'>;
}

export function createDatabase({ pool, wake, clock, timers }: DatabaseParts): Database {
  let underWay = 0;
  let onIdle: (() => void) | null = null;
  let closing: Promise<void> | null = null;

  async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closing !== null) throw new StoreUnavailable('the store is closed', null);
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      if (underWay === 0) onIdle?.();
    }
  }

  async function connected<Result>(use: (client: PoolClient) => Promise<Result>): Promise<Result> {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new StoreUnavailable('the database could not be reached', error);
    }
    let broken: Error | undefined;
    try {
      return await use(client);
    } catch (error) {
      if (error instanceof Error && isBroken(error)) broken = error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function read<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const query: QueryArrayConfig = { ...statement, values: [...values], rowMode: 'array' };
    for (let tries = 1; ; tries++) {
      try {
        const { rows } = await connected((client) => client.query(query));
        return rows.map(statement.read);
      } catch (error) {
        if (endOf(error) === 'lost' && tries < MOST_TRIES) continue;
        throw translated(error);
      }
    }
  }

  async function write<Result>(work: (tx: Transaction) => Promise<Outcome<Result>>): Promise<Result> {
    let lost: CommitLost | null = null;
    let waits = 0;
    for (let tries = 1; ; tries++) {
      try {
        const environs = { wake, clock, mayBeKept: lost !== null, keys: lost?.keys ?? [] };
        return await connected((client) => runTransaction(client, environs, work));
      } catch (error) {
        if (error instanceof CommitLost) lost = error;
        const failure = endOf(error);
        if (failure === 'conflict' && tries < MOST_TRIES) continue;
        if (lost !== null && failure !== 'other') {
          // Nobody knows yet whether it was kept: worth waiting for, before the asker is told that.
          const wait = WAITS_AFTER_COMMIT[waits];
          if (wait === undefined) throw new StoreUnavailable('whether a change was kept is not known', error);
          waits += 1;
          await timers.sleep(wait);
          continue;
        }
        if (failure === 'lost' && tries < MOST_TRIES) continue;
        throw translated(error);
      }
    }
  }

  return {
    read: (statement, values) => counted(() => read(statement, values)),
    write: (work) => counted(() => write(work)),
    close() {
      closing ??= ended();
      return closing;
    },
  };

  async function ended(): Promise<void> {
    if (underWay > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    await pool.end();
  }
}

function endOf(error: unknown): Failure {
  if (error instanceof CommitLost) return 'lost';
  return error instanceof StoreUnavailable ? 'unavailable' : failureOf(error);
}

/** Of no more use: gone, or on a server that has become a standby. */
function isBroken(error: unknown): boolean {
  return endOf(error) === 'lost' || endOf(error) === 'unavailable';
}

function translated(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !isBroken(error)) return error;
  return new StoreUnavailable('the database refused or lost an operation', error);
}
