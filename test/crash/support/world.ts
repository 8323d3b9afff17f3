import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../../src/app/open-store.ts';
import { parseConfig } from '../../../src/config.ts';
import type { Scope } from '../../../src/domain/access.ts';
import type { Product } from '../../../src/domain/catalog/product.ts';
import { parseKeyId } from '../../../src/domain/ids.ts';
import { rupiah } from '../../../src/domain/money.ts';
import { SECOND } from '../../../src/domain/time.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { hashGatewayKey, makeGatewayKey } from '../../../src/server/gateway-key.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { systemRandom } from '../../../src/system-random.ts';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import type { GraphBody } from '../../api/support/gateway.ts';
import { aProduct, caller, catalogProductId, must, productId } from '../../support/values.ts';
import { bundleProcess } from './bundle.ts';
import { type GatewayProcess, startProcess } from './gateway-process.ts';
import { openTap, type Tap } from './tap.ts';

/** The lease of a sender that died is 45 s, and so is that of a delivery; a pull counts as lost after 30 s. */
export const LEASE_OVER = 46 * SECOND;

const moneySchema = z.object({ order_id: z.int(), amount: z.int() });
const ledgerSchema = z.object({
  charges: z.array(moneySchema.extend({ idempotency_key: z.string().nullable(), operation: z.string() })),
  refunds: z.array(moneySchema),
  claims: z.array(z.object({ order_id: z.string() })),
  delivered_lines: z.array(z.object({ order_id: z.string(), line: z.string() })),
  supplier_orders: z.array(z.object({ id: z.string(), status: z.string() })),
});
export type Ledger = z.output<typeof ledgerSchema>;

export interface StartWish {
  /** Beyond the world's own time. */
  readonly aheadMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Of another installation than the world's own. */
  readonly directory?: string;
}

/** A gateway that dies and comes back over one database, and upstreams that live on and forget nothing. */
export interface CrashWorld {
  /** Key of a caller `shop` that may buy and supply, and has a budget of a hundred million. */
  readonly key: string;
  readonly operatorKey: string;
  readonly directory: string;
  /** A catalogProductId that can be ordered, and that the gateway has seen before. */
  readonly product: number;
  readonly tap: Tap;
  /** A control call of the simulated upstreams. */
  control(path: string, body?: unknown): Promise<unknown>;
  ledger(): Promise<Ledger>;
  /** The one that serves at present. */
  readonly gateway: GatewayProcess;
  /** Asks it, as the shop where no other key is given. */
  ask(query: string, variables?: unknown, key?: string): Promise<GraphBody>;
  /** Lets `act` run into the point, and sees the process die of it. What the act came to, nobody was told. */
  dieAt(point: string, act: () => Promise<unknown>): Promise<void>;
  /** A new one serves, so many milliseconds later. */
  comeBack(passed: number, wish?: StartWish): Promise<void>;
  /** One that dies at the point while it starts, so many milliseconds later. */
  comeBackAndDieAt(point: string, passed: number): Promise<void>;
  /** Moves the time on under the one that serves. */
  skip(milliseconds: number): Promise<void>;
  /** Holds the database, as a write of another process does, until what is returned lets go. */
  holdDatabase(): () => void;
  /** Another one beside it. */
  start(wish?: StartWish): Promise<GatewayProcess>;
  close(): Promise<void>;
}

export async function openWorld(env: Readonly<Record<string, string>> = {}): Promise<CrashWorld> {
  const program = await bundleProcess();
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-'));
  const sandbox = await startSandbox({ port: 0 });
  const tap = await openTap(Number(new URL(sandbox.origin).port));
  const running = new Set<GatewayProcess>();
  let aheadMs = 0;

  const envOf = (wish: StartWish): Record<string, string> => ({
    PORT: '0',
    DATABASE_URL: `file:${join(wish.directory ?? directory, 'switchboard.db')}`,
    SMSCODE_API_TOKEN: 'sandbox-token',
    SMSCODE_BASE_URL: `http://127.0.0.1:${tap.port}/v1`,
    SMSCODE_WEBHOOK_SECRET: 'sandbox-secret',
    SUPPLIER_API_KEY: 'sandbox-key',
    SUPPLIER_BASE_URL: `http://127.0.0.1:${tap.port}/api/admin/v2`,
    POLL_INTERVAL_SECONDS: '0',
    ...env,
    ...wish.env,
  });

  const control: CrashWorld['control'] = async (path, body) => {
    const response = await fetch(`${sandbox.origin}/_sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  await control('settings', {
    number_delay_seconds: 0,
    sms_delay_seconds: null,
    rate_per_minute: null,
    minimum_cancel_seconds: 0,
    reactivation: 'always',
    balance: 100_000_000,
  });
  const store = await openStoreOf(envOf({}));
  const key = await makeKey(store, 'shop', ['BUYER', 'SUPPLIER'], 100_000_000);
  const operatorKey = await makeKey(store, 'ops', ['OPERATOR'], null);
  const product = await anOffer(sandbox.origin);
  await control(`products/${product.id}`, { available: 1_000_000 });
  // Of one never seen, only the whole catalog tells: thousands of tiers, for a single one.
  await store.seenProducts.remember([product]);
  await store.close();

  const start = async (wish: StartWish = {}): Promise<GatewayProcess> => {
    const started = await startProcess(program, { env: envOf(wish), aheadMs: aheadMs + (wish.aheadMs ?? 0) });
    if (started === null) throw new Error('a gateway died that nobody had armed');
    running.add(started);
    return started;
  };
  let gateway = await start();

  return {
    key,
    operatorKey,
    directory,
    product: must(product.catalogProductId),
    tap,
    control,
    ledger: async () => ledgerSchema.parse(await control('ledger')),
    get gateway() {
      return gateway;
    },
    ask: (query, variables, asker = key) => gateway.ask(asker, query, variables),
    async dieAt(point, act) {
      await gateway.arm(point);
      const acting = act().catch(() => undefined);
      expect(await gateway.ended).toBe('SIGKILL');
      await acting;
    },
    async comeBack(passed, wish) {
      aheadMs += passed;
      gateway = await start(wish);
    },
    async comeBackAndDieAt(point, passed) {
      aheadMs += passed;
      const armed = await startProcess(program, { env: envOf({}), aheadMs, crashAt: point });
      if (armed === null) return;
      running.add(armed);
      expect(await armed.ended).toBe('SIGKILL');
    },
    async skip(milliseconds) {
      aheadMs += milliseconds;
      await gateway.skip(milliseconds);
    },
    holdDatabase() {
      const database = new Database(join(directory, 'switchboard.db'));
      database.exec('begin immediate');
      return () => void database.close();
    },
    start,
    async close() {
      for (const gateway of running) {
        gateway.signal('SIGKILL');
        await gateway.ended;
      }
      tap.close();
      await sandbox.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function openStoreOf(env: Record<string, string>) {
  const parsed = parseConfig(env);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const wake = createInProcessWake(() => undefined);
  return openStore(parsed.config, { clock: systemClock, random: systemRandom, wake });
}

async function makeKey(
  store: Pick<Store, 'keys'>,
  name: string,
  scopes: readonly Scope[],
  limit: number | null,
): Promise<string> {
  const key = makeGatewayKey();
  await store.keys.create(
    {
      id: must(parseKeyId(`key_${name}`)),
      hash: hashGatewayKey(key),
      caller: caller(name),
      scopes,
      expiresAt: null,
      budgetLimit: limit === null ? null : rupiah(limit),
    },
    { kind: 'shell' },
  );
  return key;
}

const offersSchema = z.object({
  data: z.array(
    z.object({
      id: z.int(),
      catalog_product_id: z.int(),
      country_id: z.int(),
      platform_id: z.int(),
      price: z.int(),
    }),
  ),
});

async function anOffer(origin: string): Promise<Product> {
  const response = await fetch(`${origin}/v1/catalog/products?country_id=6&platform_id=1`, {
    headers: { authorization: 'Bearer sandbox-token' },
  });
  const offers = offersSchema.parse(await response.json()).data;
  const offer = must(offers[0]);
  return aProduct({
    id: productId(offer.id),
    catalogProductId: catalogProductId(offer.catalog_product_id),
    price: rupiah(offer.price),
  });
}

/** As the provider signs its events. */
export function sign(body: string): string {
  return `sha256=${createHmac('sha256', 'sandbox-secret').update(body).digest('hex')}`;
}

/** Looks again and again, with patience for a machine that is busy. */
export function eventually<Value>(read: () => Promise<Value> | Value) {
  return expect.poll(read, { interval: 20, timeout: 12_000 });
}
