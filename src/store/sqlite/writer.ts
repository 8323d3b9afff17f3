import type Database from 'better-sqlite3';
import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Wake, WakeKey } from '../../ports/wake.ts';
import { StoreUnavailable } from '../unavailable.ts';
import { isBusy, isUnavailable } from './errors.ts';

/** Operations of one transaction: more would hold the event loop, and fewer would wait for more commits. */
const MOST_PER_COMMIT = 64;
/**
 * Turns of the event loop that a batch is gathered for, as long as each brings it more. A commit costs the same for one as for many,
 * and a turn without news some ten microseconds: of 64 clients at once, one turn finds less than half.
 */
const MOST_TURNS = 4;
/** Rounds of waiting for another process's write, each as long as the connection's busy timeout. */
const MOST_BEGINS = 3;
/**
 * Commits of others that a write behind them lets go first. Under a flood of webhooks, each commit of 64, one batch of the
 * inbox is worked off for four taken in: fewer would halve what can be taken in, more would make messages wait.
 */
const MOST_LET_BY = 4;

/** What one operation has at hand. Good only until it returns. */
export interface Unit {
  readonly now: Instant;
  /** Announced once the commit is done, and not at all if the operation fails. */
  wake(keys: Iterable<WakeKey>): void;
  /** What throws inside is undone alone, wakes included, and thrown on. */
  savepoint<Result>(work: () => Result): Result;
}

export interface Writer {
  /**
   * Runs a write with all others of this turn of the event loop in one transaction; one that throws is undone alone.
   * Resolves after the commit. Rejects with what the work threw, or with StoreUnavailable when nothing was kept.
   * The work must be synchronous, or what it awaited would land outside of the transaction, and change nothing but the
   * database: where another one throws it is undone, and runs again.
   */
  write<Result>(work: (unit: Unit) => Result): Promise<Result>;
  /** The same for what nobody waits for: lets the writes of others go first, for a while. */
  writeBehind<Result>(work: (unit: Unit) => Result): Promise<Result>;
  /** Commits what is waiting, and refuses everything after. */
  close(): void;
}

interface Operation {
  /** Runs the work; returns what tells its asker of the commit. */
  run(unit: Unit): () => void;
  fail(error: unknown): void;
}

/** What is to be told once the commit is done. */
interface Done {
  readonly keys: WakeKey[];
  readonly tells: readonly (() => void)[];
}

export function createWriter(database: Database.Database, clock: Pick<Clock, 'now'>, wake: Wake): Writer {
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  const savepoint = database.prepare('savepoint step');
  const release = database.prepare('release step');
  const rollbackToSavepoint = database.prepare('rollback to step');

  let waiting: Operation[] = [];
  let behind: Operation[] = [];
  let gathered = 0;
  let turns = 0;
  let letBy = 0;
  let begins = 0;
  let closed = false;

  function inSavepoint<Result>(keys: WakeKey[], work: () => Result): Result {
    const before = keys.length;
    savepoint.run();
    try {
      const result = work();
      release.run();
      return result;
    } catch (error) {
      keys.length = before;
      // Some errors (disk full, I/O) have undone the whole transaction: then there is no savepoint left.
      if (database.inTransaction) {
        rollbackToSavepoint.run();
        release.run();
      }
      throw error;
    }
  }

  /**
   * All of them as they come: a savepoint copies each page before it is changed, which costs more than the change. Null
   * where one threw: then the batch is undone, and runs again, apart.
   */
  function runTogether(batch: readonly Operation[]): Done | null {
    const keys: WakeKey[] = [];
    let hasThrown = false;
    const unitNow = unitOver(keys, (work) => {
      try {
        return work();
      } catch (error) {
        hasThrown = true;
        throw error;
      }
    });
    const tells: (() => void)[] = [];
    try {
      for (const operation of batch) {
        tells.push(operation.run(unitNow()));
        if (hasThrown) return null;
      }
      return { keys, tells };
    } catch {
      return null;
    }
  }

  /** Each in a savepoint of its own: one that throws is undone alone. */
  function runApart(batch: readonly Operation[]): Done {
    const keys: WakeKey[] = [];
    const unitNow = unitOver(keys, (work) => inSavepoint(keys, work));
    const tells: (() => void)[] = [];
    for (const operation of batch) {
      try {
        tells.push(inSavepoint(keys, () => operation.run(unitNow())));
      } catch (error) {
        if (!database.inTransaction) throw error;
        operation.fail(translated(error));
      }
    }
    return { keys, tells };
  }

  function unitOver(keys: WakeKey[], inSavepointOrNot: Unit['savepoint']): () => Unit {
    const wakeLater: Unit['wake'] = (more) => {
      for (const key of more) keys.push(key);
    };
    return () => ({ now: clock.now(), wake: wakeLater, savepoint: inSavepointOrNot });
  }

  function againApart(batch: readonly Operation[]): Done {
    if (database.inTransaction) rollback.run();
    begin.run();
    return runApart(batch);
  }

  function runAll(batch: readonly Operation[]): void {
    let done: Done;
    try {
      done = runTogether(batch) ?? againApart(batch);
      commit.run();
    } catch (error) {
      if (database.inTransaction) rollback.run();
      const unavailable = new StoreUnavailable('a commit failed', error);
      for (const operation of batch) operation.fail(unavailable);
      return;
    }
    if (done.keys.length > 0) wake.announce(new Set(done.keys));
    for (const tell of done.tells) tell();
  }

  function gather(): void {
    const found = waiting.length;
    if (found <= gathered || found >= MOST_PER_COMMIT || turns >= MOST_TURNS) {
      flush();
      return;
    }
    gathered = found;
    turns += 1;
    setImmediate(gather);
  }

  function flush(): void {
    gathered = 0;
    turns = 0;
    const first = waiting.slice(0, MOST_PER_COMMIT);
    const last = first.length === 0 || letBy >= MOST_LET_BY ? behind.slice(0, 1) : [];
    if (first.length + last.length === 0) return;
    try {
      begin.run();
    } catch (error) {
      begins += 1;
      if (isBusy(error) && begins < MOST_BEGINS && !closed) {
        setImmediate(flush);
        return;
      }
      // All of them, not this batch alone: each batch would make its askers wait through the same rounds again.
      const refused = [...waiting, ...behind];
      waiting = [];
      behind = [];
      begins = 0;
      for (const operation of refused) operation.fail(translated(error));
      return;
    }
    begins = 0;
    waiting = waiting.slice(first.length);
    behind = behind.slice(last.length);
    letBy = last.length > 0 ? 0 : letBy + 1;
    // The next batch gets its own turn, so that sockets are served in between.
    if (waiting.length + behind.length > 0) setImmediate(gather);
    runAll([...first, ...last]);
  }

  function queued<Result>(queue: () => Operation[], work: (unit: Unit) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (closed) {
        reject(new StoreUnavailable('the store is closed', null));
        return;
      }
      if (waiting.length + behind.length === 0) {
        letBy = 0;
        setImmediate(gather);
      }
      queue().push({
        run(unit) {
          const result = work(unit);
          return () => resolve(result);
        },
        fail: reject,
      });
    });
  }

  return {
    write: (work) => queued(() => waiting, work),
    writeBehind: (work) => queued(() => behind, work),
    close() {
      closed = true;
      while (waiting.length + behind.length > 0) flush();
    },
  };
}

function translated(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailable('the database refused a write', error) : error;
}
