import { parseCallerName, parseDeliveryId, parseSupplierOrderId } from '../../domain/ids.ts';
import { deliveryRejectionCodes } from '../../domain/supplier/delivery.ts';
import type { Cipher } from '../../ports/cipher.ts';
import { rowReader } from '../bad-row.ts';
import { linesOfBody } from '../delivery-body.ts';
import type { KeptDelivery } from '../delivery-steps.ts';

export interface DeliveryRow {
  readonly id: string;
  readonly orderId: string;
  readonly caller: string;
  readonly state: string;
  readonly endpoint: string;
  /** Sealed: it holds the lines. Empty once retention has erased it. */
  readonly body: Buffer;
  readonly lines: number;
  readonly countedBefore: number;
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly rejectionCode: string | null;
  readonly rejectionMessage: string | null;
  readonly externalId: string | null;
  readonly externalPrice: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
  readonly deadlineAt: number;
  readonly nextAttemptAt: number | null;
  readonly leaseUntil: number | null;
  readonly token: string | null;
  /** When it asks for a sender; null once settled. */
  readonly dueAt: number | null;
}

const states = ['PENDING', 'ACCEPTED', 'REJECTED', 'EXPIRED'] as const;
const statuses = ['COMPLETED', 'PARTIAL'] as const;

export function deliveryFrom(row: DeliveryRow, cipher: Cipher): KeptDelivery {
  const read = rowReader('supplier_deliveries', row.id);
  const code = read.maybeOneOf(row.rejectionCode, deliveryRejectionCodes);
  const { endpoint, lines, attempts, lastError, countedBefore, externalId, externalPrice, token } = row;
  return {
    id: read.sure(parseDeliveryId(row.id)),
    orderId: read.sure(parseSupplierOrderId(row.orderId)),
    caller: read.sure(parseCallerName(row.caller)),
    state: read.oneOf(row.state, states),
    endpoint,
    // Erased by retention: nothing sends a settled delivery again.
    body: row.body.length === 0 ? '' : cipher.open(row.body),
    lines,
    status: read.oneOf(row.status, statuses),
    attempts,
    lastError,
    rejection: code === null ? null : { code, message: row.rejectionMessage ?? '' },
    createdAt: read.instant(row.createdAt),
    settledAt: read.maybeInstant(row.settledAt),
    deadlineAt: read.instant(row.deadlineAt),
    nextAttemptAt: read.maybeInstant(row.nextAttemptAt),
    leaseUntil: read.maybeInstant(row.leaseUntil),
    token,
    countedBefore,
    externalId,
    externalPrice,
  };
}

export function deliveryRow(delivery: KeptDelivery, cipher: Cipher): DeliveryRow {
  const { rejection, body, ...columns } = delivery;
  return {
    ...columns,
    body: Buffer.from(cipher.seal(body)),
    rejectionCode: rejection?.code ?? null,
    rejectionMessage: rejection?.message ?? null,
    dueAt: delivery.state === 'PENDING' ? (delivery.leaseUntil ?? delivery.nextAttemptAt) : null,
  };
}

/**
 * The lines that an order's deliveries, the oldest first, have stored, as far as they are still kept. `deliveredCount` is
 * the order's now.
 */
export function deliveredLinesOf(
  rows: readonly DeliveryRow[],
  deliveredCount: number,
  cipher: Cipher,
): readonly string[] {
  const kept = rows.filter((row, at) => {
    if (row.body.length === 0) return false;
    if (row.state !== 'EXPIRED') return row.state === 'ACCEPTED';
    // A list has counted them before anything else was sent: taken for new, they would fill the room that others need.
    const countedBehind = rows[at + 1]?.countedBefore ?? deliveredCount;
    return countedBehind >= row.countedBefore + row.lines;
  });
  return kept.flatMap(({ body }) => linesOfBody(cipher.open(body)));
}
