import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOAD_CORE, PRODUCT, type Running, SERVER_CORE, startServer } from './process.ts';
import { SECRET } from './signed-event.ts';

const scratches: string[] = [];
process.once('exit', () => {
  for (const directory of scratches) rmSync(directory, { recursive: true, force: true });
});

/** A directory that is gone with the process. */
export function scratch(): string {
  const directory = mkdtempSync(join(process.env['BENCH_SCRATCH'] ?? tmpdir(), 'switchboard-bench-'));
  scratches.push(directory);
  return directory;
}

export interface Gateway {
  /** What calls have to carry. */
  readonly authorization: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  start(more?: Readonly<Record<string, string>>, core?: string): Promise<Running>;
}

/**
 * Switchboard as it is served: live mode, every protection on, its upstream the stub. The rate limit stays on too, and is
 * set out of the way: nobody sends this much by one key. The catalog may grow old: a reading of it must not fall into one
 * contender's round.
 */
export function gateway(
  upstreamPort: number,
  file = join(scratch(), 'switchboard.db'),
  database = `file:${file}`,
): Gateway {
  const environment = {
    DATABASE_URL: database,
    SMSCODE_API_TOKEN: 'bench-token',
    SMSCODE_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    SMSCODE_WEBHOOK_SECRET: SECRET,
    RATE_LIMIT_PER_SECOND: '1000000',
    CATALOG_MAX_AGE_SECONDS: '3600',
    PRODUCT_MAX_AGE_SECONDS: '3600',
    POLL_INTERVAL_SECONDS: '0',
    UPSTREAM_CONCURRENCY: '64',
    LOG_LEVEL: 'info',
    MAX_STREAMS_PER_KEY: '100000',
  };
  const cli = join(PRODUCT, 'cli.js');
  const key = execFileSync(
    process.execPath,
    [cli, 'keys', 'create', '--caller', 'bench', '--scopes', 'OPERATOR'],
    {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      encoding: 'utf8',
    },
  ).trim();
  return {
    authorization: `Bearer ${key}`,
    file,
    environment,
    start: (more = {}, core = SERVER_CORE) =>
      startServer({
        file: cli,
        arguments: ['serve'],
        environment: { ...environment, ...more },
        core,
      }),
  };
}

export function upstream(environment: Readonly<Record<string, string>>): Promise<Running> {
  return startServer({ file: 'stub/upstream.ts', environment, core: LOAD_CORE });
}
