import type { AttemptId, CallerName, OrderId } from '../domain/ids.ts';

/**
 * What has news. Keys alone travel, never data: a reader that is woken reads its rows from the store, so a lost wake
 * costs time and never a message, and a slow reader costs no memory.
 */
export type WakeKey =
  | `order:${OrderId}`
  | `attempt:${AttemptId}`
  /** New messages of any of a caller's orders. */
  | `sms-of:${CallerName}`
  | 'sms-of-all'
  | 'balance'
  | 'inbox'
  | 'attempts-due'
  | 'open-orders'
  | 'supplier-claims'
  | 'deliveries-due'
  | `supplier-order:${string}`
  | 'keys'
  | 'alerts';

export interface Wake {
  /** Called by stores once a change is committed. */
  announce(keys: Iterable<WakeKey>): void;
  /** Wakes every listener: another process has changed the database, and nobody knows where. */
  announceAll(): void;
  /** The listener must be cheap and must not throw. Returns what ends the subscription. */
  listen(keys: readonly WakeKey[], listener: () => void): () => void;
}
