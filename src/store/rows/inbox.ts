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

/** What turns are told by. */
type InboxHead = Pick<InboxRow, 'id' | 'orderId'> & { readonly revision: number | null };

/**
 * Orders take turns by their oldest record, each with all of its own: applied before a lower revision, a higher one
 * would have it passed over as old. Whatever comes before a record's turn is older than it, or of an order that is: so
 * the oldest `limit` records decide the first `limit` turns. `rows`: all that is due of the orders of `heads`.
 */
export function inTurn<Row extends InboxHead>(heads: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const turns = new Map<number, Row[]>();
  for (const row of rows) {
    if (row.orderId === null) continue;
    const turn = turns.get(row.orderId);
    if (turn === undefined) turns.set(row.orderId, [row]);
    else turn.push(row);
  }
  return heads.flatMap((head) => {
    if (head.orderId === null) return head;
    const turn = turns.get(head.orderId) ?? [];
    turns.delete(head.orderId);
    return turn.length > 1 ? turn.toSorted(byRevision) : turn;
  });
}

/** An event without a revision goes last: messages are judged before the status. */
function byRevision(a: InboxHead, b: InboxHead): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (a.revision ?? last) - (b.revision ?? last) || a.id - b.id;
}

export function ordersOf(rows: readonly Pick<InboxRow, 'orderId'>[]): readonly number[] {
  return [...new Set(rows.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))];
}
