import { and, eq, sql } from 'drizzle-orm';
import { parseRupiah } from '../../domain/money.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { instant } from '../../domain/time.ts';
import type { ActionClaim, ActionRecord, ActionStore } from '../../ports/store/orders.ts';
import { rowReader } from '../bad-row.ts';
import type { Base } from './base.ts';
import type { Books } from './books.ts';
import { orderActions } from './tables.ts';
import { rowWriter } from './write-rows.ts';

type ActionRow = typeof orderActions.$inferSelect;
const kinds = ['receipt', 'rejected', 'confirmed', 'skipped', 'ambiguous'] as const;

/** Order actions in SQLite: one row for each order and action, held by a lease and then keeping its outcome. */
export function createActionStore({ database, db, writer }: Base, books: Books): ActionStore {
  const findAction = db
    .select()
    .from(orderActions)
    .where(
      and(
        eq(orderActions.orderId, sql.placeholder('orderId')),
        eq(orderActions.action, sql.placeholder('action')),
      ),
    )
    .prepare();
  const saveAction = rowWriter(database, orderActions, { replaceBy: ['order_id', 'action'] });

  return {
    begin: (orderId, action, token, leaseMs) =>
      writer.write((unit): ActionClaim => {
        const row = findAction.get({ orderId, action });
        if (row !== undefined && row.outcome === null && unit.now < row.leaseUntil) {
          return { kind: 'running', until: rowReader('order_actions', keyOf(row)).instant(row.leaseUntil) };
        }
        saveAction({ orderId, action, token, leaseUntil: instant(unit.now + leaseMs) });
        return { kind: 'claimed', token };
      }),
    end: (orderId, action, token, outcome) =>
      writer.write((unit) => {
        const row = findAction.get({ orderId, action });
        // A receipt is a receipt, whoever has taken the action over meanwhile.
        if (action === 'CANCEL' && outcome.kind === 'receipt' && outcome.refund !== null) {
          books.giveBackByReceipt(orderId, outcome.refund.refundAmount, unit.now);
        }
        if (row === undefined || row.token !== token || row.outcome !== null) return;
        saveAction({ orderId, action, token, leaseUntil: unit.now, ...outcomeColumns(outcome) });
        unit.wake([`order:${orderId}`]);
      }),
    async outcome(orderId, action) {
      const row = findAction.get({ orderId, action });
      return row === undefined ? null : outcomeFrom(row);
    },
  };
}

function outcomeColumns(outcome: ActionRecord): Partial<ActionRow> {
  switch (outcome.kind) {
    case 'receipt': {
      const { kind, refund, resend } = outcome;
      const resent = resend === null ? null : Number(resend.resent);
      return { outcome: kind, ...refund, resent, afterRevision: resend?.afterRevision ?? null };
    }
    case 'rejected':
      return { outcome: outcome.kind, httpStatus: outcome.httpStatus, code: outcome.code };
    case 'ambiguous':
      return { outcome: outcome.kind, latestStatus: outcome.latestStatus };
    case 'confirmed':
    case 'skipped':
      return { outcome: outcome.kind };
  }
}

function outcomeFrom(row: ActionRow): ActionRecord | null {
  const read = rowReader('order_actions', keyOf(row));
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

function keyOf(row: { readonly orderId: number; readonly action: string }): string {
  return `${row.orderId}/${row.action}`;
}
