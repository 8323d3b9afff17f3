import { Client, type ClientConfig, Pool } from 'pg';

/** How long a statement may take, in milliseconds. None of ours takes a hundredth of it. */
const STATEMENT_TIMEOUT = 15_000;
/** How long a lock is waited for. Longer than a holder that stands still may keep it (below), so that its waiters get through. */
const LOCK_TIMEOUT = 10_000;
/** A process that is stopped in the middle of a transaction must not hold up all others: the server ends it after this. */
const IDLE_IN_TRANSACTION_TIMEOUT = 5_000;
/** The server has answered long before; a connection that says nothing for so long is dead, and nobody told us. */
const SILENCE = 20_000;
/** To open a connection, or to get one of those that are busy. */
const CONNECT_TIMEOUT = 5_000;

export interface ConnectionOptions {
  readonly url: string;
  /** The most connections at once. */
  readonly poolSize: number;
}

function settings(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'switchboard',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  };
}

/** The connections that serve. What breaks while nobody uses it is dropped in silence: the next one who asks gets another. */
export function openPool({ url, poolSize }: ConnectionOptions): Pool {
  const pool = new Pool({
    ...settings(url),
    max: poolSize,
    // What follows from a read is sent in one go with the COMMIT: a transaction costs two round trips, not seven, and no
    // lock that it takes last waits for us.
    pipeline: true,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    query_timeout: SILENCE,
  });
  // Without a listener, a connection that the server ends takes the process with it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A connection of its own, without limits of time: for migrations, copies and cleaning. To be ended by who asked. */
export async function connectAlone(url: string): Promise<Client> {
  const client = new Client(settings(url));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
