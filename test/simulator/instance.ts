import type { Product } from '../../src/domain/catalog/product.ts';
import { SECOND } from '../../src/domain/time.ts';
import { createBalanceReader } from '../../src/flows/balance/read-balance.ts';
import type { Deps } from '../../src/flows/deps.ts';
import { createGate } from '../../src/upstream/gate.ts';
import { createSmscodeApi } from '../../src/upstream/smscode/client.ts';
import { createWebhookReader } from '../../src/upstream/smscode/webhook.ts';
import { notConfiguredSupplier } from '../../src/upstream/supplier/not-configured.ts';
import { inboxWorker } from '../../src/workers/inbox-worker.ts';
import { reconciler } from '../../src/workers/reconciler.ts';
import { smsPoller } from '../../src/workers/sms-poller.ts';
import { SANDBOX_ORIGIN, SANDBOX_SECRET, SANDBOX_TOKEN } from '../support/sandbox-names.ts';
import { simulatedCatalog } from './catalog.ts';
import { mortal } from './life.ts';
import { type Instance, type MachineParts, openMachine } from './machine.ts';

export interface BuyingInstance extends Instance {
  readonly polls: boolean;
}

export interface BuyingParts extends MachineParts {
  readonly tiers: readonly Product[];
  /** Milliseconds; null: it polls nothing. */
  readonly pollInterval: number | null;
}

/** An instance that has the buyer's side alone. */
export async function openInstance(parts: BuyingParts): Promise<BuyingInstance> {
  const { pollInterval } = parts;
  const machine = await openMachine(parts);
  const { life, random, clock, log, metrics, wake, store, http } = machine;
  const numbers = mortal(
    life,
    'numbers',
    createSmscodeApi({
      baseUrl: `${SANDBOX_ORIGIN}/v1`,
      token: SANDBOX_TOKEN,
      webhookSecret: SANDBOX_SECRET,
      http,
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
  const workers = [
    reconciler(deps),
    inboxWorker(deps),
    ...(pollInterval === null ? [] : [smsPoller(deps, pollInterval)]),
  ];
  return { ...machine.begin(deps, workers), polls: pollInterval !== null };
}
