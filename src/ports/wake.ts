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

/** A wake that reaches other instances with the help of the database they share. */
export interface CarriedWake extends Wake {
  /** Where the database is to tell what `carry` made. */
  readonly channel: string;
  /** Makes an announcement ready for the commit that will make it true. */
  carry(keys: Iterable<WakeKey>): Carried;
}

export interface Carried {
  /** For the database to tell on the channel as soon as it has committed, whoever is gone by then. */
  readonly texts: readonly string[];
  /** The commit is through: tells it within this process, and to whom the database does not. */
  announce(): void;
}
