import { escapeLiteral, type PoolClient, type QueryArrayConfig } from 'pg';
import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CarriedWake, WakeKey } from '../../ports/wake.ts';
import { rowReader } from '../bad-row.ts';
import { failureOf } from './errors.ts';
import { type Statement, statement, wholeNumber } from './statements.ts';

/** What an operation came to: `keep` commits and answers after that, `leave` undoes whatever was done. */
export type Outcome<Result> =
  | { readonly kind: 'keep'; readonly answer: () => Result | Promise<Result> }
  | { readonly kind: 'leave'; readonly answer: Result };

export function keep<Result>(answer: () => Result | Promise<Result>): Outcome<Result> {
  return { kind: 'keep', answer };
}

export function leave<Result>(answer: Result): Outcome<Result> {
  return { kind: 'leave', answer };
}

/** What one operation has at hand. Statements leave at once and run in their order; only what is awaited is waited for. */
export interface Transaction {
  /** An earlier run of this very operation may have been committed: what is found may be its own work. */
  readonly mayBeKept: boolean;
  rows<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** For what nobody waits for: it fails the commit if it fails. */
  send(statement: Statement<unknown>, values?: readonly unknown[]): void;
  /** The store's clock, read once everything before is done: after the locks. */
  now(): Promise<Instant>;
  /** Announced once the commit is done, and not at all if it is not. */
  wake(keys: Iterable<WakeKey>): void;
  /** Its commit need not wait for the disk: losing it to a power cut loses nothing that anybody was told. */
  needNotLast(): void;
}

/** The connection ended while COMMIT was under way: nobody here knows whether it was kept. */
export class CommitLost extends Error {
  readonly keys: readonly WakeKey[];
  constructor(cause: unknown, keys: readonly WakeKey[]) {
    super('a COMMIT was cut off', { cause });
    this.name = 'CommitLost';
    this.keys = keys;
  }
}

export interface Environs {
  readonly wake: CarriedWake;
  readonly clock: Pick<Clock, 'now'> | null;
  readonly mayBeKept: boolean;
  /** Of an earlier run that may have been committed. */
  readonly keys: readonly WakeKey[];
}

/** The server's own clock, in milliseconds, as it is when the statement begins. */
export const SERVER_NOW = 'floor(extract(epoch from statement_timestamp()) * 1000)::bigint';
const findNow = statement(`select ${SERVER_NOW}`, ([now]) => wholeNumber(now));

const begin: Statement<null> = statement('begin', () => null);
const notDurable: Statement<null> = statement('set local synchronous_commit = off', () => null);

/** @throws CommitLost, or what the work or the server threw: then nothing was kept. */
export async function runTransaction<Result>(
  client: PoolClient,
  { wake, clock, mayBeKept, keys: before }: Environs,
  work: (tx: Transaction) => Promise<Outcome<Result>>,
): Promise<Result> {
  const keys: WakeKey[] = [...before];
  const sent: Promise<unknown>[] = [];

  function rows<Row>(asked: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    const query: QueryArrayConfig = { ...asked, values: [...values], rowMode: 'array' };
    const answer = client.query(query).then((result) => result.rows.map(asked.read));
    sent.push(answer);
    // Looked at before the commit counts. Whoever awaits it hears of it too.
    answer.catch(() => undefined);
    return answer;
  }

  const tx: Transaction = {
    mayBeKept,
    rows,
    send: (asked, values) => void rows(asked, values),
    async now() {
      if (clock !== null) return clock.now();
      const [now] = await rows(findNow);
      return rowReader('clock', 'now').instant(now ?? Number.NaN);
    },
    wake: (more) => void keys.push(...more),
    needNotLast: () => void rows(notDurable),
  };

  void rows(begin);
  let outcome: Outcome<Result>;
  try {
    outcome = await work(tx);
  } catch (error) {
    const cause = await firstFailure(sent);
    await rolledBack(client);
    throw cause ?? error;
  }
  if (outcome.kind === 'leave') {
    await rolledBack(client);
    // Nothing but what an earlier run has done and could not tell.
    if (before.length > 0) wake.carry(new Set(before)).announce();
    return outcome.answer;
  }
  const carried = wake.carry(new Set(keys));
  const end = client.query(commitWith(carried.texts, wake.channel));
  const [failed, ended] = await Promise.all([firstFailure(sent), settled(end)]);
  // A statement that fails undoes all, and the COMMIT then only says so.
  if (failed !== null && failureOf(failed) !== 'lost') throw failed;
  // The end of the connection may have come before the commit or after it.
  if (ended.kind === 'failed') throw new CommitLost(ended.error, keys);
  if (!isCommitted(ended.value)) throw new Error('a transaction was undone by the server');
  carried.announce();
  return outcome.answer();
}

/**
 * The server tells the others itself, once it has committed: a process that is killed in between takes no news with it. In
 * the transaction, NOTIFY would make the commits of all instances wait for each other's disk.
 */
function commitWith(texts: readonly string[], channel: string): string {
  const notes = texts.map((text) => `select pg_notify(${escapeLiteral(channel)}, ${escapeLiteral(text)})`);
  return ['commit', ...notes].join('; ');
}

/** The answer to several statements is a list of theirs. */
function isCommitted(answer: unknown): boolean {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  return typeof first === 'object' && first !== null && 'command' in first && first.command === 'COMMIT';
}

async function rolledBack(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
  } catch (error) {
    // The server has undone it, or is gone. On any other end the connection is of no use any more.
    if (failureOf(error) !== 'lost') throw error;
  }
}

/** Of the statements sent, the first that failed: those after it only say that the transaction is broken. */
async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  for (const answer of sent) {
    const end = await settled(answer);
    if (end.kind === 'failed') return end.error;
  }
  return null;
}

type End<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown };

async function settled<Value>(promise: Promise<Value>): Promise<End<Value>> {
  try {
    return { kind: 'done', value: await promise };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
