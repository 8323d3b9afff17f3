import type { Visibility } from '../../domain/access.ts';
import { parseOrderId } from '../../domain/ids.ts';
import type { SmsRevision } from '../../domain/sms/accept.ts';
import { rowReader } from '../bad-row.ts';

export interface SmsRow {
  readonly orderId: number;
  readonly revision: number;
  readonly message: string;
  readonly otpCode: string | null;
  readonly source: string;
  readonly receivedAt: number;
  /** Given when operators may see it. */
  readonly sequence: number | null;
  readonly owner: string | null;
  /** Given when its owner may see it. */
  readonly ownerSequence: number | null;
}

/** Its sequence number is the reader's own: a caller's and the operators' numbers differ where an order was adopted late. */
export function smsFrom(row: SmsRow, scope: Visibility): SmsRevision {
  const read = rowReader('sms_revisions', `${row.orderId}/${row.revision}`);
  return {
    orderId: read.sure(parseOrderId(row.orderId)),
    revision: row.revision,
    message: row.message,
    otpCode: row.otpCode,
    source: read.oneOf(row.source, ['WEBHOOK', 'POLL']),
    receivedAt: read.instant(row.receivedAt),
    sequence: read.sure(scope.kind === 'own' ? row.ownerSequence : row.sequence),
  };
}
