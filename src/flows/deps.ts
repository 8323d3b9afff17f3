import type { Rupiah } from '../domain/money.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { NumbersApi } from '../ports/numbers-api.ts';
import type { Random } from '../ports/random.ts';
import type { FurtherStores } from '../ports/store/further.ts';
import type { Store } from '../ports/store/store.ts';
import type { SupplierApi } from '../ports/supplier-api.ts';
import type { Wake } from '../ports/wake.ts';
import type { WebhookReader } from '../ports/webhook-reader.ts';
import type { BalanceReader } from './balance/read-balance.ts';
import type { CatalogReader } from './catalog/read-catalog.ts';

/** What flows stand on. Built once, in app.ts. */
export interface Deps {
  readonly store: Store & FurtherStores;
  readonly numbers: NumbersApi;
  readonly supplier: SupplierApi;
  readonly webhooks: WebhookReader;
  readonly catalog: CatalogReader;
  readonly balance: BalanceReader;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly wake: Wake;
  readonly settings: Settings;
}

export interface Settings {
  readonly buyerConfigured: boolean;
  readonly supplierConfigured: boolean;
  /** How fresh a product must be at a paid create, in milliseconds. */
  readonly productMaxAge: number;
  /** Balances below it are low; null: none is. */
  readonly balanceAlertBelow: Rupiah | null;
}
