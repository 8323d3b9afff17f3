import type { CatalogProductId } from '../../domain/ids.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { Instant } from '../../domain/time.ts';

/** What a person who settles a review looks at. */
export interface EvidenceStore {
  /**
   * Shown orders that no attempt accounts for, created from one instant to before another, oldest first, at most 200;
   * with `catalogProductId`, only those of it or of an unknown one.
   */
  unaccounted(
    from: Instant,
    to: Instant,
    catalogProductId: CatalogProductId | null,
  ): Promise<readonly Order[]>;
}
