import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GraphBody, until } from '../api/support/gateway.ts';
import { collect, connect } from '../api/support/sockets.ts';
import { addressOf, type Program, runProgram } from '../faults/support/program.ts';
import { openTelltale, type TelltaleUpstream } from '../faults/support/telltale-upstream.ts';

const directory = mkdtempSync(join(tmpdir(), 'under-load-'));
const file = join(directory, 'switchboard.db');
let upstream: TelltaleUpstream;
let env: Record<string, string>;
let key: string;
const programs: Program[] = [];

beforeAll(async () => {
  upstream = await openTelltale({ buyer: 'buyer-token', supplier: 'supplier-key' });
  await upstream.control('settings', { number_delay_seconds: 0, sms_delay_seconds: null });
  env = {
    PORT: '0',
    DATABASE_URL: `file:${file}`,
    SMSCODE_API_TOKEN: 'buyer-token',
    SMSCODE_BASE_URL: `${upstream.origin}/v1`,
    POLL_INTERVAL_SECONDS: '1',
    CATALOG_MAX_AGE_SECONDS: '600',
    PRODUCT_MAX_AGE_SECONDS: '600',
    RATE_LIMIT_PER_SECOND: '0',
  };
  const made = runProgram(['keys', 'create', '--caller', 'shop', '--scopes', 'BUYER'], env, directory);
  await made.ended;
  key = made.out().trim();
}, 60_000);

afterAll(async () => {
  for (const { child } of programs) child.kill('SIGKILL');
  await upstream?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<{ readonly program: Program; readonly url: string }> {
  const program = runProgram(['serve'], env, directory);
  programs.push(program);
  return { program, url: await addressOf(program) };
}

async function ask(url: string, query: string, variables: unknown = {}): Promise<GraphBody> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(await response.text());
}

const CREATE =
  'mutation ($job: String!, $product: Int!) { createOrder(input: { businessJobId: $job, catalogProductId: $product }) { __typename } }';

async function productAt(url: string): Promise<number> {
  const { data } = await ask(
    url,
    '{ catalogProducts(filter: { orderable: true }, first: 1) { nodes { catalogProductId } } }',
  );
  return data.catalogProducts.nodes[0].catalogProductId;
}

describe('a stop in the middle of everything', () => {
  test('ends in order within ten seconds; every job that anybody asked for is then found, and charged once', async () => {
    const { program, url } = await start();
    const product = await productAt(url);
    const client = connect(url.replace('http', 'ws').concat('/graphql'), key);
    const stream = collect(client, 'subscription { smsReceived { message } }');
    const asked = new Set<string>();
    const answered = new Set<string>();
    let isOver = false;
    const clients = Array.from({ length: 12 }, async (_, client) => {
      for (let turn = 0; !isOver; turn++) {
        const job = `job-${client}-${turn}`;
        asked.add(job);
        const told = await ask(url, CREATE, { job, product }).catch(() => null);
        if (told === null) return;
        if (told.data?.createOrder?.__typename === 'CreateOrderResolved') answered.add(job);
      }
    });
    await until('orders are made', () => answered.size > 30, 30_000);
    const stoppedAt = Date.now();
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(10_000);
    isOver = true;
    await Promise.all(clients);
    expect(String(await stream.ended)).toBeDefined();

    const again = await start();
    for (const job of asked) {
      await expect
        .poll(async () => (await ask(again.url, CREATE, { job, product })).data?.createOrder?.__typename, {
          timeout: 60_000,
        })
        .toBe('CreateOrderResolved');
    }
    // However often each was asked for, before and after.
    expect((await upstream.ledger()).charges).toBe(asked.size);
    again.program.child.kill('SIGTERM');
    expect(await again.program.ended).toBe(0);
  }, 150_000);
});

describe('a database that another process holds', () => {
  test('for seconds: what was asked waits, and goes through', async () => {
    const { program, url } = await start();
    const product = await productAt(url);
    const other = new Database(file);
    other.exec('begin immediate');
    const asked = ask(url, CREATE, { job: 'held up', product });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    other.exec('commit');
    expect((await asked).data.createOrder.__typename).toBe('CreateOrderResolved');
    other.close();
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }, 60_000);

  test('for too long: it is refused, nothing has left, and later it goes through', async () => {
    const { program, url } = await start();
    const product = await productAt(url);
    const before = await upstream.ledger();
    const other = new Database(file);
    other.exec('begin immediate');
    const refused = await ask(url, CREATE, { job: 'held up for long', product });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
    expect(await upstream.ledger()).toEqual(before);
    other.exec('commit');
    other.close();
    expect((await ask(url, CREATE, { job: 'held up for long', product })).data.createOrder.__typename).toBe(
      'CreateOrderResolved',
    );
    expect((await upstream.ledger()).charges).toBe(before.charges + 1);
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }, 90_000);
});
