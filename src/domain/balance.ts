import type { Rupiah } from './money.ts';
import type { Instant } from './time.ts';

/** The account's balance upstream as last read. `sequence` rises with each reading that differs from the one before. */
export interface Balance {
  readonly currency: string;
  readonly amount: Rupiah;
  readonly asOf: Instant;
  readonly sequence: number;
}
