import type { AlertStore, Notebook } from './alerts.ts';
import type { AuditStore } from './audit.ts';
import type { EvidenceStore } from './evidence.ts';
import type { Presence } from './presence.ts';
import type { RetentionStore } from './retention.ts';
import type { StatisticsStore } from './statistics.ts';
import type { SupplierSlots, SupplierStore } from './supplier.ts';
import type { Turns } from './turns.ts';

/** The rooms of a store beside those of buying. */
export interface FurtherStores {
  readonly alerts: AlertStore;
  readonly notebook: Notebook;
  readonly audit: AuditStore;
  readonly evidence: EvidenceStore;
  readonly statistics: StatisticsStore;
  readonly retention: RetentionStore;
  readonly supplier: SupplierStore;
  readonly supplierSlots: SupplierSlots;
  readonly turns: Turns;
  readonly presence: Presence;
}
