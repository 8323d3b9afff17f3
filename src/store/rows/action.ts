import { parseRupiah } from '../../domain/money.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import type { ActionRecord } from '../../ports/store/orders.ts';
import { rowReader } from '../bad-row.ts';

/** What an action came to, as columns. */
export interface OutcomeColumns {
  /** Null while it runs. */
  readonly outcome: string | null;
  readonly refundAmount: number | null;
  readonly newBalance: number | null;
  readonly resent: number | null;
  readonly afterRevision: number | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly latestStatus: string | null;
}

export interface ActionRow extends OutcomeColumns {
  readonly orderId: number;
  readonly action: string;
  readonly token: string;
  readonly leaseUntil: number;
}

const kinds = ['receipt', 'rejected', 'confirmed', 'skipped', 'ambiguous'] as const;

const noOutcome: OutcomeColumns = {
  outcome: null,
  refundAmount: null,
  newBalance: null,
  resent: null,
  afterRevision: null,
  httpStatus: null,
  code: null,
  latestStatus: null,
};

export function outcomeColumns(outcome: ActionRecord): OutcomeColumns {
  const base = { ...noOutcome, outcome: outcome.kind };
  switch (outcome.kind) {
    case 'receipt': {
      const { refund, resend } = outcome;
      const resent = resend === null ? null : Number(resend.resent);
      return { ...base, ...refund, resent, afterRevision: resend?.afterRevision ?? null };
    }
    case 'rejected':
      return { ...base, httpStatus: outcome.httpStatus, code: outcome.code };
    case 'ambiguous':
      return { ...base, latestStatus: outcome.latestStatus };
    case 'confirmed':
    case 'skipped':
      return base;
  }
}

export function outcomeFrom(row: ActionRow): ActionRecord | null {
  const read = rowReader('order_actions', actionKey(row));
  if (row.outcome === null) return null;
  const kind = read.oneOf(row.outcome, kinds);
  switch (kind) {
    case 'receipt': {
      const refundAmount = read.maybe(row.refundAmount, parseRupiah);
      const newBalance = read.maybe(row.newBalance, parseRupiah);
      const { resent, afterRevision } = row;
      return {
        kind,
        refund: refundAmount === null ? null : { refundAmount, newBalance: read.sure(newBalance) },
        resend: resent === null ? null : { resent: resent === 1, afterRevision: read.sure(afterRevision) },
      };
    }
    case 'rejected':
      return { kind, httpStatus: read.sure(row.httpStatus), code: read.sure(row.code) };
    case 'ambiguous':
      return { kind, latestStatus: read.maybeOneOf(row.latestStatus, orderStatuses) };
    case 'confirmed':
    case 'skipped':
      return { kind };
  }
}

export function actionKey(row: Pick<ActionRow, 'orderId' | 'action'>): string {
  return `${row.orderId}/${row.action}`;
}
