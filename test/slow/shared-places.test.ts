import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ask, type Instance, startInstance } from '../instances/fleet.ts';
import { readLedger } from '../instances/read-evidence.ts';
import { usePostgres } from '../store/postgres/support/postgres-database.ts';
import { findPostgres } from '../store/postgres/support/services.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PLACES = 6;
/** Two beats, and something for a busy machine. */
const SETTLED = 11_000;
/** A lease and a beat. */
const COUNTED_OUT = 21_000;
const CREATE = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { attempt { state } } }`;
const LIST = `{
  catalogProducts(first: 100, filter: { orderable: true }, orderBy: { field: AVAILABLE, direction: DESC }) {
    nodes { catalogProductId }
  }
}`;
const listed = z.object({
  data: z.object({ catalogProducts: z.object({ nodes: z.array(z.object({ catalogProductId: z.int() })) }) }),
});

const server = findPostgres();

describe.runIf(server !== null)('three instances on one database', () => {
  const create = usePostgres(server ?? '');
  test('have no more calls under way together than one may, whoever dies and begins', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'switchboard-'));
    const database = await create();
    const sandbox = await startSandbox({ port: 0, seed: 1 });
    const instances: Instance[] = [];
    let isOver = false;
    const asking: Promise<void>[] = [];
    onTestFinished(async () => {
      isOver = true;
      await Promise.all(asking);
      for (const instance of instances) await instance.kill();
      await sandbox.close();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    });
    const control = async (path: string, body?: unknown): Promise<unknown> => {
      const response = await fetch(`${sandbox.origin}/_sandbox/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    };
    await control('settings', {
      number_delay_seconds: 0,
      sms_delay_seconds: null,
      rate_per_minute: null,
      abuse_guard: false,
      balance: 1_000_000_000,
    });
    await control('faults', { kind: 'delay', ms: 100, match: { side: 'buyer' }, times: 1_000_000 });
    const env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SMSCODE_API_TOKEN: 'sandbox-token',
      SMSCODE_BASE_URL: `${sandbox.origin}/v1`,
      POLL_INTERVAL_SECONDS: '0',
      CATALOG_MAX_AGE_SECONDS: '600',
      PRODUCT_MAX_AGE_SECONDS: '600',
      RATE_LIMIT_PER_SECOND: '0',
      UPSTREAM_CONCURRENCY: String(PLACES),
    };
    const args = [PROGRAM, 'keys', 'create', '--caller', 'anna', '--scopes', 'BUYER'];
    const key = execFileSync(process.execPath, args, { cwd: directory, env, encoding: 'utf8' }).trim();
    for (let n = 0; n < 3; n++) instances.push(await startInstance(env, directory));

    // Many: the stock of one would be sold before the end.
    const [first] = instances;
    const products = listed.parse(await ask(first?.url ?? '', key, LIST, {})).data.catalogProducts.nodes;
    let jobs = 0;
    const buy = async ({ url }: Instance): Promise<void> => {
      while (!isOver) {
        jobs += 1;
        const input = { businessJobId: `job-${jobs}`, ...products[jobs % products.length] };
        // One that is down refuses at once.
        if ((await ask(url, key, CREATE, { input })) === null) await pause(100);
      }
    };
    for (const instance of instances) for (let n = 0; n < 8; n++) asking.push(buy(instance));
    /** The most calls that were under way at once in these milliseconds from now. */
    const mostWithin = async (milliseconds: number): Promise<number> => {
      const from = Date.now();
      await pause(milliseconds);
      const { requests } = readLedger(await control('ledger'));
      const begun = requests.filter((call) => call.side === 'buyer' && call.from >= from);
      return Math.max(0, ...begun.map(({ beside }) => beside + 1));
    };

    await pause(SETTLED);
    expect(await mostWithin(3_000)).toBe(PLACES);

    await instances[2]?.kill();
    expect(await mostWithin(COUNTED_OUT)).toBeLessThanOrEqual(PLACES);
    expect(await mostWithin(3_000)).toBe(PLACES);

    await instances[2]?.start();
    await pause(SETTLED);
    expect(await mostWithin(3_000)).toBe(PLACES);

    isOver = true;
    await Promise.all(asking);
    const { charges } = readLedger(await control('ledger'));
    expect(charges.length).toBeGreaterThan(500);
    expect(new Set(charges.map((charge) => charge.key)).size).toBe(charges.length);
  });
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
