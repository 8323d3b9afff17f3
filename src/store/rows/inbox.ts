import { parseOrderId } from '../../domain/ids.ts';
import type { DeadWebhook } from '../../domain/sms/dead-webhook.ts';
import type { InboxRecord } from '../../ports/store/inbox.ts';
import { rowReader } from '../bad-row.ts';

export interface InboxRow {
  readonly id: number;
  readonly orderId: number | null;
  readonly body: Buffer;
  readonly receivedAt: number;
  readonly tries: number;
}

export function recordFrom(row: InboxRow): InboxRecord {
  const read = rowReader('inbox', row.id);
  return {
    id: row.id,
    orderId: read.maybe(row.orderId, parseOrderId),
    body: row.body,
    receivedAt: read.instant(row.receivedAt),
    tries: row.tries,
  };
}

export function deadFrom(
  row: Omit<InboxRow, 'body'> & { readonly event: string; readonly revision: number | null },
): DeadWebhook {
  const read = rowReader('inbox', row.id);
  const { id, event, revision, tries } = row;
  const orderId = read.maybe(row.orderId, parseOrderId);
  return { id, event, orderId, revision, tries, receivedAt: read.instant(row.receivedAt) };
}

/**
 * Orders take turns by their oldest record, each with all of its own: applied before a lower revision, a higher one
 * would have it passed over as old. Whatever comes before a record's turn is older than it, or of an order that is: so
 * the oldest `limit` records decide the first `limit` turns. `rows`: all that is due of the orders of `heads`, the
 * lowest revision first, and those of `heads` that are of no order.
 */
export function inTurn<Row extends Pick<InboxRow, 'id' | 'orderId'>>(
  heads: readonly Pick<InboxRow, 'id' | 'orderId'>[],
  rows: readonly Row[],
): readonly Row[] {
  const ofNone = new Map<number, Row>();
  const turns = new Map<number, Row[]>();
  for (const row of rows) {
    if (row.orderId === null) {
      ofNone.set(row.id, row);
      continue;
    }
    const turn = turns.get(row.orderId);
    if (turn === undefined) turns.set(row.orderId, [row]);
    else turn.push(row);
  }
  return heads.flatMap(({ id, orderId }) => {
    if (orderId === null) return ofNone.get(id) ?? [];
    const turn = turns.get(orderId) ?? [];
    turns.delete(orderId);
    return turn;
  });
}

export function ordersOf(rows: readonly Pick<InboxRow, 'orderId'>[]): readonly number[] {
  return [...new Set(rows.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))];
}
