import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GraphBody } from '../api/support/gateway.ts';
import { addressOf, type Program, runProgram } from './support/program.ts';
import { openTelltale, type TelltaleUpstream } from './support/telltale-upstream.ts';

const directory = mkdtempSync(join(tmpdir(), 'full-disk-'));
/** Of util-linux, as every Linux has it. */
const PRLIMIT = 'prlimit';
const UNSETTLED = 'the outcome of a paid send could not be stored';
let upstream: TelltaleUpstream;
let program: Program;
let url: string;
let key: string;
let product: unknown;

beforeAll(async () => {
  upstream = await openTelltale({ buyer: 'buyer-token', supplier: 'supplier-key' });
  await upstream.control('settings', { number_delay_seconds: 0, sms_delay_seconds: null });
  const env = {
    PORT: '0',
    DATABASE_URL: `file:${join(directory, 'switchboard.db')}`,
    SMSCODE_API_TOKEN: 'buyer-token',
    SMSCODE_BASE_URL: `${upstream.origin}/v1`,
    SMSCODE_WEBHOOK_SECRET: 'secret',
    POLL_INTERVAL_SECONDS: '0',
    CATALOG_MAX_AGE_SECONDS: '600',
    PRODUCT_MAX_AGE_SECONDS: '600',
  };
  const made = runProgram(['keys', 'create', '--caller', 'shop', '--scopes', 'BUYER'], env, directory);
  await made.ended;
  key = made.out().trim();
  // Past a limit the system kills a process unless that is ignored; then it is told that the file cannot grow.
  program = runProgram(['serve'], env, directory, 'trap "" XFSZ; exec');
  url = await addressOf(program);
  const { data } = await ask(
    '{ catalogProducts(filter: { orderable: true }, first: 1) { nodes { catalogProductId } } }',
  );
  product = data.catalogProducts.nodes[0].catalogProductId;
}, 120_000);

afterAll(async () => {
  program?.child.kill('SIGKILL');
  await upstream?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** No file of the program may be written past its first byte: what a disk without room says to each write. */
function fill(): void {
  limit('1');
}

function makeRoom(): void {
  limit('unlimited');
}

function limit(bytes: string): void {
  execFileSync(PRLIMIT, ['--pid', String(program.child.pid), `--fsize=${bytes}:unlimited`]);
}

async function ask(query: string, variables: unknown = {}): Promise<GraphBody> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(await response.text());
}

const order = (job: string): Promise<GraphBody> =>
  ask(
    'mutation ($job: String!, $product: Int!) { createOrder(input: { businessJobId: $job, catalogProductId: $product }) { __typename attempt { state sends } } }',
    { job, product },
  );

async function webhook(revision: number): Promise<number> {
  const data = { order_id: 1, sms_revision: revision, otp_message: 'x' };
  const body = JSON.stringify({ event: 'order.otp_received', data });
  const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
  const headers = { 'x-webhook-signature': signature };
  return (await fetch(`${url}/webhooks/smscode`, { method: 'POST', headers, body })).status;
}

const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;

describe('a disk without room', () => {
  test('lets no paid request leave, answers no webhook 2xx, and is told by readyz', async () => {
    expect((await order('before')).data.createOrder).toMatchObject({ __typename: 'CreateOrderResolved' });
    const before = await upstream.ledger();
    fill();
    const refused = await order('on a full disk');
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      requestId: expect.any(String),
    });
    expect(refused.data?.createOrder).toBeUndefined();
    expect(await webhook(1)).toBe(503);
    await expect.poll(ready, { timeout: 5_000 }).toBe(503);
    // What is there already can still be read.
    expect((await ask('{ orders { totalCount } }')).data.orders.totalCount).toBe(1);
    expect(await upstream.ledger()).toEqual(before);
  }, 30_000);

  test('is recovered from without a restart: the very same requests go through, once', async () => {
    const before = await upstream.ledger();
    makeRoom();
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    expect((await order('on a full disk')).data.createOrder).toMatchObject({
      __typename: 'CreateOrderResolved',
      attempt: { sends: 1 },
    });
    expect(await webhook(1)).toBe(200);
    expect(await upstream.ledger()).toEqual({ charges: before.charges + 1, creates: before.creates + 1 });
  }, 30_000);

  test('exactly when a charge has happened: its outcome is written down as soon as there is room, and nothing is charged again', async () => {
    const before = await upstream.ledger();
    await upstream.control('faults', { kind: 'delay', ms: 1_500, match: { path: '/v1/orders/create' } });
    const asked = order('charged meanwhile');
    await expect
      .poll(async () => (await upstream.ledger()).creates, { timeout: 10_000 })
      .toBe(before.creates + 1);
    fill();
    // The answer comes, and cannot be kept.
    await expect.poll(() => program.out(), { timeout: 10_000 }).toContain(UNSETTLED);
    makeRoom();
    await asked;
    await expect
      .poll(async () => (await order('charged meanwhile')).data?.createOrder?.__typename, { timeout: 20_000 })
      .toBe('CreateOrderResolved');
    expect(await upstream.ledger()).toEqual({ charges: before.charges + 1, creates: before.creates + 1 });
  }, 60_000);

  test('ended nothing: the same process serves all along, and stops in order', async () => {
    expect(program.child.exitCode).toBeNull();
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }, 20_000);
});
