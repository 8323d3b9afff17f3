import type { Instant } from '../../domain/time.ts';
import type { AttemptStore } from './attempts.ts';
import type { BalanceStore } from './balances.ts';
import type { SeenProducts } from './catalog.ts';
import type { Inbox } from './inbox.ts';
import type { BudgetStore, KeyStore } from './keys.ts';
import type { ActionStore, OrderStore } from './orders.ts';

/**
 * One database. Ports offer whole atomic operations: what must hold together happens in one call, and no transaction
 * is ever open across an await of a caller. Stores announce wakes after each commit.
 */
export interface Store {
  readonly attempts: AttemptStore;
  readonly orders: OrderStore;
  readonly actions: ActionStore;
  readonly inbox: Inbox;
  readonly keys: KeyStore;
  readonly budgets: BudgetStore;
  readonly seenProducts: SeenProducts;
  readonly balances: BalanceStore;
  /** The store's clock: all times of attempts, leases and deadlines. */
  now(): Promise<Instant>;
  /** A secret of this database, made once: what opaque cursors are signed with. */
  cursorSecret(): Promise<string>;
  /** The size of SQLite's write-ahead log; null where there is none. */
  logBytes(): Promise<number | null>;
  /** Rejects, with a message for the operator, when a write would not be possible now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
