import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { type Instance, startInstance } from './fleet.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { type OwnRedis, startOwnRedis } from './own-redis.ts';
import { openWebhookDoor, type WebhookDoor } from './webhook-door.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export const CALLERS = ['anna', 'bram', 'cleo'] as const;

/** Three gateways over one PostgreSQL and one Redis, with the upstreams that forget nothing. */
export interface World {
  readonly random: SeededRandom;
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedis;
  readonly instances: readonly Instance[];
  readonly door: WebhookDoor;
  /** By caller; `ops` may see everything. */
  readonly keys: ReadonlyMap<string, string>;
  /** Any of the instances, be it up or not: what a client that knows nothing turns to. */
  pick(): string;
  keyOf(name: string): string;
  /** A control call of the simulated upstreams. */
  control(path: string, body?: unknown): Promise<unknown>;
  /** As an operator does who hears that the provider has stopped delivering. */
  reconnectWebhook(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(
  programs: { readonly postgres: string; readonly redis: string },
  seed: number,
): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-'));
  const random = seededRandom(seed);
  const postgres = await startOwnPostgres(programs.postgres);
  const redis = await startOwnRedis(programs.redis);
  const urls: string[] = [];
  const door = await openWebhookDoor(
    () => urls.toSorted(() => random.unit() - 0.5),
    () => random.chance(0.1),
  );
  const sandbox = await startSandbox({ port: 0, seed, webhook: { url: door.url, secret: 'sandbox-secret' } });
  const control = controlOf(sandbox);
  await control('settings', {
    number_delay_seconds: 0,
    sms_delay_seconds: null,
    rate_per_minute: null,
    cancels_per_day: null,
    abuse_guard: false,
    minimum_cancel_seconds: 0,
    webhook_retry_seconds: [1, 2, 4, 8, 8, 8],
    webhook_timeout_seconds: 8,
    balance: 1_000_000_000,
  });
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SMSCODE_API_TOKEN: 'sandbox-token',
    SMSCODE_BASE_URL: `${sandbox.origin}/v1`,
    SMSCODE_WEBHOOK_SECRET: 'sandbox-secret',
    SUPPLIER_API_KEY: 'sandbox-key',
    SUPPLIER_BASE_URL: `${sandbox.origin}/api/admin/v2`,
    SUPPLIER_PULL_SECONDS: '1',
    POLL_INTERVAL_SECONDS: '2',
    CATALOG_MAX_AGE_SECONDS: '600',
    PRODUCT_MAX_AGE_SECONDS: '600',
    RATE_LIMIT_PER_SECOND: '0',
  };
  const keys = new Map<string, string>();
  for (const name of [...CALLERS, 'ops']) {
    const scopes = name === 'ops' ? 'OPERATOR' : 'BUYER,SUPPLIER';
    const args = ['keys', 'create', '--caller', name, '--scopes', scopes, '--budget', '300000000'];
    const made = execFileSync(process.execPath, [PROGRAM, ...args], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });
    keys.set(name, made.trim());
  }
  // Together, as after a power cut: all of them migrate, poll and claim at once.
  const instances = await Promise.all([1, 2, 3].map(() => startInstance(env, directory)));
  urls.push(...instances.map(({ url }) => url));

  return {
    random,
    postgres,
    redis,
    instances,
    door,
    keys,
    pick: () => random.pick(urls),
    keyOf(name) {
      const key = keys.get(name);
      if (key === undefined) throw new Error(`${name} has no key`);
      return key;
    },
    control,
    async reconnectWebhook() {
      await fetch(`${sandbox.origin}/v1/webhook`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer sandbox-token' },
        body: JSON.stringify({ webhook_secret: 'sandbox-secret' }),
      });
    },
    async close() {
      for (const instance of instances) await instance.kill();
      await door.close();
      await sandbox.close();
      await redis.close();
      await postgres.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function controlOf(sandbox: Sandbox): World['control'] {
  return async (path, body) => {
    const response = await fetch(`${sandbox.origin}/_sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
