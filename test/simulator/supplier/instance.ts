import { SECOND } from '../../../src/domain/time.ts';
import { createBalanceReader } from '../../../src/flows/balance/read-balance.ts';
import type { Deps } from '../../../src/flows/deps.ts';
import { renewLeases } from '../../../src/flows/supplier/lease-order.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Http } from '../../../src/upstream/http.ts';
import { notConfigured } from '../../../src/upstream/smscode/not-configured.ts';
import { createWebhookReader } from '../../../src/upstream/smscode/webhook.ts';
import { createSupplierApi } from '../../../src/upstream/supplier/client.ts';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import { claimRecovery } from '../../../src/workers/claim-recovery.ts';
import { deliverer } from '../../../src/workers/deliverer.ts';
import { every } from '../../../src/workers/every.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { puller } from '../../../src/workers/puller.ts';
import { countedMetrics } from '../../support/counted-metrics.ts';
import { keptLog } from '../../support/kept-log.ts';
import { SANDBOX_KEY, SANDBOX_ORIGIN, SANDBOX_SECRET } from '../../support/sandbox-names.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { simulatedCatalog } from '../catalog.ts';
import { refusing } from '../full-disk.ts';
import type { Ground, OpenedStore } from '../ground.ts';
import { createLife, mortal } from '../life.ts';
import type { Player } from '../stage.ts';

/** One process of the gateway that has the supplier's side alone: flows and workers over the database that all share. */
export interface Instance extends Player {
  /** Until it stops failing, each write of the store is refused as by a full disk. */
  fillDisk(isFull: boolean): void;
}

export interface InstanceParts {
  readonly name: string;
  readonly seed: number;
  readonly ground: Pick<Ground, 'open'>;
  readonly clock: Clock;
  readonly wayOut: (isOver: () => boolean) => Http;
  /** Milliseconds; null: it pulls nothing by itself. */
  readonly pullEvery: number | null;
  /** The share of its calls that are slow to begin. */
  readonly jitter: number;
  readonly onDeath: (point: string) => void;
}

const RENEWS_EVERY = 60 * SECOND;

export async function openInstance(parts: InstanceParts): Promise<Instance> {
  const { name, pullEvery } = parts;
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
  const supplier = createSupplierApi({
    baseUrl: `${SANDBOX_ORIGIN}/api/admin/v2`,
    key: SANDBOX_KEY,
    http: parts.wayOut(life.isOver),
    slots: store.supplierSlots,
    clock,
    random,
    log,
    metrics,
  });
  const deps: Deps = {
    store,
    numbers: notConfigured,
    supplier: mortal(life, 'supplier', supplier),
    webhooks: createWebhookReader([SANDBOX_SECRET]),
    catalog: simulatedCatalog(clock, random, []),
    balance: createBalanceReader({ numbers: notConfigured, balances: store.balances, clock, log }),
    clock,
    random,
    log,
    metrics,
    wake,
    settings: {
      buyerConfigured: false,
      supplierConfigured: true,
      productMaxAge: 10 * SECOND,
      balanceAlertBelow: null,
    },
  };
  // Which of them comes first after a start is nobody's promise.
  const workers = [
    claimRecovery(deps),
    deliverer(deps),
    every(clock, 'lease-renewal', RENEWS_EVERY, () => renewLeases(deps)),
    ...(pullEvery === null ? [] : [puller(deps, pullEvery)]),
  ];
  for (const worker of random.chance(0.5) ? workers : workers.reverse()) runWorker(deps, worker);
  return {
    name,
    deps,
    life,
    lines,
    fillDisk(full) {
      isFull = full;
    },
  };
}
