import type { Config } from '../config.ts';
import { type Rupiah, rupiah } from '../domain/money.ts';
import { createBalanceReader } from '../flows/balance/read-balance.ts';
import { createCatalogReader } from '../flows/catalog/read-catalog.ts';
import type { Deps } from '../flows/deps.ts';
import { otelTracer } from '../otel-tracer.ts';
import type { AlertSink } from '../ports/alert-sink.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Places } from '../ports/places.ts';
import type { Random } from '../ports/random.ts';
import { createAlertWebhook } from '../upstream/alert-webhook.ts';
import { createGate } from '../upstream/gate.ts';
import { createHttp } from '../upstream/http.ts';
import { createSmscodeApi } from '../upstream/smscode/client.ts';
import { notConfigured } from '../upstream/smscode/not-configured.ts';
import { createWebhookReader } from '../upstream/smscode/webhook.ts';
import { createSupplierApi } from '../upstream/supplier/client.ts';
import { notConfiguredSupplier } from '../upstream/supplier/not-configured.ts';
import { tracedHttp } from '../upstream/traced-http.ts';
import { createInProcessWake } from '../wake/in-process.ts';
import { openStore } from './open-store.ts';
import { timedStore } from './timed-store.ts';

interface Environs {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Stands for the clock of a database that has its own, in tests. */
  readonly serverClock?: Pick<Clock, 'now'>;
}

export interface OpenDeps {
  readonly deps: Deps;
  /** Null: alerts go to the log alone. */
  readonly alerts: AlertSink | null;
  /** Of the buyer's upstream; null where there is none. */
  readonly places: Places | null;
  /** Ends calls under way and closes the store. */
  close(): Promise<void>;
}

/** What flows stand on: store, upstreams and readers, as configured. */
export async function openDeps(config: Config, environs: Environs): Promise<OpenDeps> {
  const { clock, random, log, metrics } = environs;
  const { buyer, supplier } = config;
  const wake = createInProcessWake((error) => log.error('a listener failed', {}, error));
  const store = timedStore(await openStore(config, { ...environs, wake }), clock, metrics);
  const http = tracedHttp(createHttp({ clock, random, log }), otelTracer);
  const gate = buyer.kind === 'off' ? null : createGate(buyer.maxConcurrent, clock);
  const numbers =
    buyer.kind === 'off' || gate === null
      ? notConfigured
      : createSmscodeApi({
          ...environs,
          http,
          baseUrl: buyer.baseUrl,
          token: buyer.token,
          webhookSecret: buyer.webhookSecrets[0] ?? null,
          gate,
        });
  const supplierApi =
    supplier.kind === 'off'
      ? notConfiguredSupplier()
      : createSupplierApi({
          ...environs,
          http,
          baseUrl: supplier.baseUrl,
          key: supplier.apiKey,
          slots: store.supplierSlots,
          places: supplier.maxConcurrent,
        });
  const deps: Deps = {
    ...environs,
    wake,
    store,
    numbers,
    supplier: supplierApi,
    webhooks: createWebhookReader(buyer.kind === 'off' ? [] : buyer.webhookSecrets),
    catalog: createCatalogReader({
      numbers,
      seen: store.seenProducts,
      clock,
      log,
      maxAge: config.catalogMaxAgeMs,
    }),
    balance: createBalanceReader({ numbers, balances: store.balances, clock, log }),
    settings: {
      buyerConfigured: buyer.kind === 'on',
      supplierConfigured: supplier.kind === 'on',
      productMaxAge: config.productMaxAgeMs,
      balanceAlertBelow: alertThreshold(config),
    },
  };
  const { alerts } = config;
  return {
    deps,
    alerts: alerts.kind === 'log' ? null : createAlertWebhook({ ...alerts, http, clock }),
    places: gate,
    async close() {
      await http.close();
      await store.close();
    },
  };
}

function alertThreshold({ balanceAlertBelowRupiah }: Config): Rupiah | null {
  return balanceAlertBelowRupiah === undefined ? null : rupiah(balanceAlertBelowRupiah);
}
