import { z } from 'zod';

/** A day: longer than any test or demonstration waits. */
const LONGEST_SECONDS = 86_400;
const LONGEST_MS = 60_000;

/** The supplier's part of POST /_sandbox/settings. */
export const supplierSettings = z.object({
  /** Buyers place orders by themselves, one per so many seconds; null: none do. */
  supplier_order_every_seconds: z.number().min(0.01).max(LONGEST_SECONDS).nullable(),
  /** Of the orders that come by themselves, how many (0 to 1) are shown in an odd shape. */
  supplier_odd_share: z.number().min(0).max(1),
  /** Least time between two orders-update calls. */
  supplier_min_update_interval_ms: z.int().min(0).max(LONGEST_MS),
  /** How long each call takes. Above 0, or requests could never overlap and no limit would ever be met. */
  supplier_processing_ms: z.int().min(0).max(LONGEST_MS),
  /** For how long a new order is ORDER_NOT_FOUND to calls that name its id. */
  supplier_not_found_seconds: z.number().min(0).max(LONGEST_SECONDS),
});

export type SupplierSettings = z.output<typeof supplierSettings>;

/** The provider's own numbers where it names one; quiet: no orders come by themselves. */
export const defaultSupplierSettings: SupplierSettings = {
  supplier_order_every_seconds: null,
  supplier_odd_share: 0.05,
  supplier_min_update_interval_ms: 200,
  supplier_processing_ms: 15,
  supplier_not_found_seconds: 0,
};
