import type { Product } from '../../src/domain/catalog/product.ts';
import { SECOND } from '../../src/domain/time.ts';
import { createBalanceReader } from '../../src/flows/balance/read-balance.ts';
import type { Deps } from '../../src/flows/deps.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { createGate } from '../../src/upstream/gate.ts';
import type { Http } from '../../src/upstream/http.ts';
import { createSmscodeApi } from '../../src/upstream/smscode/client.ts';
import { createWebhookReader } from '../../src/upstream/smscode/webhook.ts';
import { notConfiguredSupplier } from '../../src/upstream/supplier/not-configured.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import { inboxWorker } from '../../src/workers/inbox-worker.ts';
import { runWorker } from '../../src/workers/loop.ts';
import { reconciler } from '../../src/workers/reconciler.ts';
import { smsPoller } from '../../src/workers/sms-poller.ts';
import { countedMetrics } from '../support/counted-metrics.ts';
import { keptLog } from '../support/kept-log.ts';
import { SANDBOX_ORIGIN, SANDBOX_SECRET, SANDBOX_TOKEN } from '../support/sandbox-names.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { simulatedCatalog } from './catalog.ts';
import { refusing } from './full-disk.ts';
import type { Ground, OpenedStore } from './ground.ts';
import { createLife, mortal } from './life.ts';
import type { Player } from './stage.ts';

/** One process of the gateway: flows and workers over the database that all instances share. */
export interface Instance extends Player {
  readonly polls: boolean;
  /** Until it stops failing, each write of the store is refused as by a full disk. */
  fillDisk(isFull: boolean): void;
}

export interface InstanceParts {
  readonly name: string;
  readonly seed: number;
  readonly ground: Pick<Ground, 'open'>;
  readonly clock: Clock;
  readonly wayOut: (isOver: () => boolean) => Http;
  readonly tiers: readonly Product[];
  /** Milliseconds; null: it polls nothing. */
  readonly pollInterval: number | null;
  /** The share of its calls that are slow to begin. */
  readonly jitter: number;
  readonly onDeath: (point: string) => void;
}

export async function openInstance(parts: InstanceParts): Promise<Instance> {
  const { name, pollInterval } = parts;
  const random = seededRandom(parts.seed);
  let opened: OpenedStore | null = null;
  const life = createLife({
    clock: parts.clock,
    random,
    jitter: parts.jitter,
    onEnd(point) {
      opened?.close();
      parts.onDeath(point);
    },
  });
  const { clock } = life;
  const { log, lines } = keptLog();
  const { metrics } = countedMetrics();
  const wake = createInProcessWake((error) => log.error('a listener failed', {}, error));
  opened = await parts.ground.open(wake);
  let isFull = false;
  const store = mortal(
    life,
    'store',
    refusing(opened.store, () => isFull),
  );
  const numbers = mortal(
    life,
    'numbers',
    createSmscodeApi({
      baseUrl: `${SANDBOX_ORIGIN}/v1`,
      token: SANDBOX_TOKEN,
      webhookSecret: SANDBOX_SECRET,
      http: parts.wayOut(life.isOver),
      gate: createGate(8, clock),
      clock,
      random,
      log,
      metrics,
    }),
  );
  const deps: Deps = {
    store,
    numbers,
    supplier: notConfiguredSupplier(),
    webhooks: createWebhookReader([SANDBOX_SECRET]),
    catalog: mortal(life, 'catalog', simulatedCatalog(clock, random, parts.tiers)),
    balance: createBalanceReader({ numbers, balances: store.balances, clock, log }),
    clock,
    random,
    log,
    metrics,
    wake,
    settings: {
      buyerConfigured: true,
      supplierConfigured: false,
      productMaxAge: 10 * SECOND,
      balanceAlertBelow: null,
    },
  };
  // Which of them comes first after a start is nobody's promise.
  const workers = [
    reconciler(deps),
    inboxWorker(deps),
    ...(pollInterval === null ? [] : [smsPoller(deps, pollInterval)]),
  ];
  for (const worker of random.chance(0.5) ? workers : workers.reverse()) runWorker(deps, worker);
  return {
    name,
    polls: pollInterval !== null,
    deps,
    life,
    lines,
    fillDisk(full) {
      isFull = full;
    },
  };
}
