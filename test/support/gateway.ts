import { onTestFinished } from 'vitest';
import type { Visibility } from '../../src/domain/access.ts';
import { parseKeyId } from '../../src/domain/ids.ts';
import { type Rupiah, rupiah } from '../../src/domain/money.ts';
import type { AttemptDraft } from '../../src/domain/orders/attempt.ts';
import type { Order, OrderSnapshot } from '../../src/domain/orders/order.ts';
import { createBalanceReader } from '../../src/flows/balance/read-balance.ts';
import { createCatalogReader } from '../../src/flows/catalog/read-catalog.ts';
import type { Deps } from '../../src/flows/deps.ts';
import type { NumbersApi } from '../../src/ports/numbers-api.ts';
import type { FurtherStores } from '../../src/ports/store/further.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { SupplierApi } from '../../src/ports/supplier-api.ts';
import { createWebhookReader } from '../../src/upstream/smscode/webhook.ts';
import { notConfiguredSupplier } from '../../src/upstream/supplier/not-configured.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import type { TestDatabase } from '../conformance/support/database.ts';
import { countedMetrics } from './counted-metrics.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { keptLog, type LogLine } from './kept-log.ts';
import { SANDBOX_SECRET } from './sandbox-names.ts';
import { type ScriptedNumbers, scriptedNumbers } from './scripted-numbers.ts';
import { seededRandom } from './seeded-random.ts';
import { databaseUnderTest, watched } from './store-under-test.ts';
import {
  alice,
  aSnapshot,
  attemptId,
  byAlice,
  catalogProductId,
  job,
  key,
  must,
  productId,
} from './values.ts';

export type AnyStore = Store & FurtherStores;

export const ofAlice: Visibility = { kind: 'own', caller: alice };
export const ofAll: Visibility = { kind: 'all' };

/** One instance over a database of its own, or of another one's. */
export interface TestGateway {
  readonly deps: Deps;
  readonly store: AnyStore;
  readonly clock: FakeClock;
  readonly database: TestDatabase;
  readonly lines: readonly LogLine[];
  readonly counts: ReadonlyMap<string, number>;
  /** The store closes with the test; this closes it now. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly numbers: NumbersApi;
  readonly supplier?: SupplierApi;
  /** Of another gateway: then this is a second instance, or the same one started again. */
  readonly database?: TestDatabase;
  readonly clock?: FakeClock;
  readonly seed?: number;
  readonly productMaxAge?: number;
  readonly catalogMaxAge?: number;
  readonly balanceAlertBelow?: Rupiah;
  /** Puts faults between flows and store. */
  readonly spoil?: (store: AnyStore) => AnyStore;
}

export async function openGateway(options: GatewayOptions): Promise<TestGateway> {
  const clock = options.clock ?? createFakeClock();
  const random = seededRandom(options.seed ?? 1);
  const { log, lines } = keptLog();
  const { metrics, counts } = countedMetrics();
  const wake = createInProcessWake((error) => log.error('a listener failed', {}, error));
  const database = options.database ?? (await databaseUnderTest());
  // The store's own look at other processes would keep a fake clock ticking for ever.
  const opened = watched(
    await database.open({ clock: { ...clock, after: () => () => undefined }, random, wake }),
  );
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await opened.close();
    isClosed = true;
  };
  onTestFinished(async () => {
    await close();
    if (options.database === undefined) await database.drop();
  });
  const store = options.spoil?.(opened) ?? opened;
  const { numbers } = options;
  const deps: Deps = {
    store,
    numbers,
    supplier: options.supplier ?? notConfiguredSupplier(),
    webhooks: createWebhookReader([SANDBOX_SECRET]),
    catalog: createCatalogReader({
      numbers,
      seen: store.seenProducts,
      clock,
      log,
      maxAge: options.catalogMaxAge ?? 60_000,
    }),
    balance: createBalanceReader({ numbers, balances: store.balances, clock, log }),
    clock,
    random,
    log,
    metrics,
    wake,
    settings: {
      buyerConfigured: true,
      supplierConfigured: options.supplier !== undefined,
      productMaxAge: options.productMaxAge ?? 10_000,
      balanceAlertBelow: options.balanceAlertBelow ?? null,
    },
  };
  return { deps, store, clock, database, lines, counts, close };
}

/** A gateway whose upstream does what the test says. */
export async function openScripted(
  script: Partial<NumbersApi> = {},
  options: Omit<GatewayOptions, 'numbers'> = {},
): Promise<TestGateway & { readonly upstream: ScriptedNumbers }> {
  const upstream = scriptedNumbers(script);
  return { ...(await openGateway({ ...options, numbers: upstream.numbers })), upstream };
}

/** A create of one, of which the upstream has made what the test says. */
export function aDraft(name: string, change: Partial<AttemptDraft> = {}): AttemptDraft {
  return {
    id: attemptId(`attempt-${name}`),
    caller: alice,
    businessJobId: job(`job-${name}`),
    request: {
      kind: 'CREATE',
      catalogProductId: catalogProductId(88),
      quantity: 1,
      maxUnitPrice: null,
      routing: null,
    },
    endpoint: '/orders/create',
    body: '{"catalog_product_id":88,"quantity":1}',
    fingerprint: `fingerprint-${name}`,
    idempotencyKey: key(`key-${name}`),
    reviewThresholdAt: null,
    catalogProductId: catalogProductId(88),
    quantity: 1,
    reserve: rupiah(5_000),
    ...change,
  };
}

/** What the provider tells of an order that it has just made. */
export function made(change: Partial<OrderSnapshot> = {}): OrderSnapshot {
  return aSnapshot({
    phoneNumber: '+62811000007',
    amount: rupiah(5_000),
    productId: productId(70),
    ...change,
  });
}

/** Sets what alice may spend. */
export async function limitBudget(store: AnyStore, limit: number): Promise<void> {
  await store.keys.create(
    {
      id: must(parseKeyId('limit')),
      hash: 'hash',
      caller: alice,
      scopes: ['BUYER'],
      expiresAt: null,
      budgetLimit: rupiah(limit),
    },
    { kind: 'shell' },
  );
}

/** Orders of alice's, in the store, all of one attempt. */
export async function haveOrders(
  store: AnyStore,
  ...snapshots: readonly OrderSnapshot[]
): Promise<readonly Order[]> {
  const quantity = snapshots.length;
  const draft = aDraft(`of-${snapshots[0]?.id}`, { quantity, reserve: rupiah(5_000 * quantity) });
  const prepared = await store.attempts.prepare(draft, 'token', byAlice);
  if (prepared.kind !== 'fresh' || prepared.claim === null) throw new Error('the attempt is not fresh');
  const settled = await store.attempts.settle(prepared.claim, {
    kind: 'made',
    orders: snapshots,
    failedCount: 0,
  });
  if (settled.attempt.state !== 'RESOLVED') throw new Error(`the attempt is ${settled.attempt.state}`);
  return settled.kind === 'settled' ? settled.orders : [];
}
