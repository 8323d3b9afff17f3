import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const SCRIPT = fileURLToPath(new URL('../sandbox/support/serve.ts', import.meta.url));

const resultSchema = z.object({ data: z.object({ orders: z.array(z.object({ id: z.int() })) }) });
const ledgerSchema = z.object({
  charges: z.array(z.object({ order_id: z.int(), idempotency_key: z.string() })),
});

async function serve(file: string): Promise<{ origin: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const origin = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
  return { origin, child };
}

async function create(origin: string, key: string): Promise<number> {
  const response = await fetch(`${origin}/v1/orders/create`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-token', 'idempotency-key': key },
    body: '{"catalog_product_id":6135,"quantity":1}',
  });
  const [order] = resultSchema.parse(await response.json()).data.orders;
  if (order === undefined) throw new Error('no order was made');
  return order.id;
}

it('killed in the middle of its work, knows every order that it answered and charges none twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'state.jsonl');
  const { origin, child } = await serve(file);

  const keys = Array.from({ length: 120 }, (_, at) => `job-${at}`);
  const answered = new Map<string, number>();
  const running = keys.map(async (key) => answered.set(key, await create(origin, key)));
  await expect.poll(() => answered.size, { interval: 1, timeout: 20_000 }).toBeGreaterThan(20);
  child.kill('SIGKILL');
  await Promise.allSettled(running);
  expect(answered.size).toBeLessThan(keys.length);

  const again = await serve(file);
  for (const [key, id] of answered) expect(await create(again.origin, key)).toBe(id);
  for (const key of keys) await create(again.origin, key);
  const ledger = await fetch(`${again.origin}/_sandbox/ledger`);
  const { charges } = ledgerSchema.parse(await ledger.json());
  expect(charges.map((charge) => charge.idempotency_key).toSorted()).toEqual(keys.toSorted());
  expect(new Set(charges.map((charge) => charge.order_id)).size).toBe(keys.length);
});
