import { Redis } from 'ioredis';
import { Client } from 'pg';

const POSTGRES = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const REDIS = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** The address of a PostgreSQL for tests; null where none answers. With CI=true that is a failure. */
export function findPostgres(): Promise<string | null> {
  return find('PostgreSQL', 'TEST_DATABASE_URL', POSTGRES, async () => {
    const client = new Client({ connectionString: POSTGRES, connectionTimeoutMillis: 2_000 });
    await client.connect();
    await client.end();
  });
}

export function findRedis(): Promise<string | null> {
  return find('Redis', 'TEST_REDIS_URL', REDIS, async () => {
    const client = new Redis(REDIS, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    await client.connect();
    client.disconnect();
  });
}

async function find(
  what: string,
  variable: string,
  url: string,
  reach: () => Promise<void>,
): Promise<string | null> {
  try {
    await reach();
    return url;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const line = `${what} does not answer at ${variable} (${why || 'no reason given'})`;
    if (process.env['CI'] === 'true') throw new Error(line);
    process.stderr.write(`${line}: its tests are left out.\n`);
    return null;
  }
}
