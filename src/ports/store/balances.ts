import type { Balance } from '../../domain/balance.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Instant } from '../../domain/time.ts';

/** Readings of the account's balance: a row for each change, the last one's time moved on while it stays the same. */
export interface BalanceStore {
  latest(): Promise<Balance | null>;
  /** A reading older than the latest is dropped. Returns the latest then. */
  record(reading: {
    readonly currency: string;
    readonly amount: Rupiah;
    readonly asOf: Instant;
  }): Promise<Balance>;
  after(sequence: number): Promise<readonly Balance[]>;
}
