import { SECOND } from '../../../src/domain/time.ts';
import { createBalanceReader } from '../../../src/flows/balance/read-balance.ts';
import type { Deps } from '../../../src/flows/deps.ts';
import { renewLeases } from '../../../src/flows/supplier/lease-order.ts';
import { notConfigured } from '../../../src/upstream/smscode/not-configured.ts';
import { createWebhookReader } from '../../../src/upstream/smscode/webhook.ts';
import { createSupplierApi } from '../../../src/upstream/supplier/client.ts';
import { claimRecovery } from '../../../src/workers/claim-recovery.ts';
import { deliverer } from '../../../src/workers/deliverer.ts';
import { every } from '../../../src/workers/every.ts';
import { puller } from '../../../src/workers/puller.ts';
import { SANDBOX_KEY, SANDBOX_ORIGIN, SANDBOX_SECRET } from '../../support/sandbox-names.ts';
import { simulatedCatalog } from '../catalog.ts';
import { mortal } from '../life.ts';
import { type Instance, type MachineParts, openMachine } from '../machine.ts';

export interface SellingParts extends MachineParts {
  /** Milliseconds; null: it pulls nothing by itself. */
  readonly pullEvery: number | null;
}

const RENEWS_EVERY = 60 * SECOND;

/** An instance that has the supplier's side alone. */
export async function openInstance(parts: SellingParts): Promise<Instance> {
  const { pullEvery } = parts;
  const machine = await openMachine(parts);
  const { life, random, clock, log, metrics, wake, store, http } = machine;
  const supplier = createSupplierApi({
    baseUrl: `${SANDBOX_ORIGIN}/api/admin/v2`,
    key: SANDBOX_KEY,
    http,
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
  const workers = [
    claimRecovery(deps),
    deliverer(deps),
    every(clock, 'lease-renewal', RENEWS_EVERY, () => renewLeases(deps)),
    ...(pullEvery === null ? [] : [puller(deps, pullEvery)]),
  ];
  return machine.begin(deps, workers);
}
