import type { Actor } from '../../domain/audit.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { SmsRevision } from '../../domain/sms/accept.ts';
import type { DeadWebhook } from '../../domain/sms/dead-webhook.ts';
import type { WebhookEvent } from '../../domain/sms/event.ts';
import type { Instant } from '../../domain/time.ts';

export interface InboxEntry {
  readonly dedupeKey: string;
  readonly event: string;
  readonly orderId: OrderId | null;
  readonly revision: number | null;
  readonly body: Uint8Array;
  /** Kept, answered 400, and worked on by nobody. */
  readonly rejected: boolean;
}

export interface InboxRecord {
  readonly id: number;
  readonly orderId: OrderId | null;
  readonly body: Uint8Array;
  readonly receivedAt: Instant;
  readonly tries: number;
}

/** What working a record off came to. */
export type InboxResult =
  | {
      readonly kind: 'applied';
      readonly id: number;
      /** Null for an event that acts on nothing. */
      readonly order: Order | null;
      readonly news: SmsRevision | null;
      readonly conflict: boolean;
    }
  /** Another worker had it first. */
  | { readonly kind: 'gone'; readonly id: number }
  /** Its effect failed; tried again at `nextAt`, or dead-lettered when null. */
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly error: unknown;
      readonly nextAt: Instant | null;
    };

/** Webhooks, durable before they are answered. Effects run from here, exactly once. */
export interface Inbox {
  /** Inserts if absent. Resolves once the commit is durable; rejects when it could not be stored: then there is no 2xx. */
  insert(entry: InboxEntry): Promise<'stored' | 'duplicate'>;
  /** Unsettled and due, oldest first; of one order the lowest revision first. `orderIds`: only those. */
  pending(limit: number, orderIds?: readonly OrderId[]): Promise<readonly InboxRecord[]>;
  /**
   * Applies each event (`mergeSnapshot` of `snapshotOf`), appends its news and settles its record, all in one
   * transaction, each record in a savepoint: one that throws spoils itself alone, is tried again with backoff, and
   * is dead-lettered after ten tries.
   */
  apply(
    batch: readonly { readonly record: InboxRecord; readonly event: WebhookEvent }[],
  ): Promise<readonly InboxResult[]>;
  /** Dead letters, newest first, before an id (null: from the newest). */
  dead(before: number | null, limit: number): Promise<readonly DeadWebhook[]>;
  /** Has a dead letter worked off as if it had just come: its tries begin anew. Returns it as it was; null: no such. Audited. */
  replay(id: number, by: Actor): Promise<DeadWebhook | null>;
  stats(): Promise<{
    readonly pending: number;
    readonly dead: number;
    readonly oldestPendingAt: Instant | null;
  }>;
}
