import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

/** Where tests find PostgreSQL and Redis; null where none answers. */
export interface Services {
  readonly postgres: string | null;
  readonly redis: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly services: Services;
  }
}

/** Looks once a run, and says in a line each what is left out. With CI=true that is a failure (contract: "Starting"). */
export async function setup(project: TestProject): Promise<void> {
  project.provide('services', { postgres: await findPostgres(), redis: await findRedis() });
}

function findPostgres(): Promise<string | null> {
  const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
  return find('PostgreSQL', 'TEST_DATABASE_URL', url, async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    await client.connect();
    await client.end();
  });
}

function findRedis(): Promise<string | null> {
  const url = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
  return find('Redis', 'TEST_REDIS_URL', url, async () => {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
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
