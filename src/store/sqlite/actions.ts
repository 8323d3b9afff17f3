import { and, eq, sql } from 'drizzle-orm';
import { instant } from '../../domain/time.ts';
import type { ActionClaim, ActionStore } from '../../ports/store/orders.ts';
import { rowReader } from '../bad-row.ts';
import { actionKey, outcomeColumns, outcomeFrom } from '../rows/action.ts';
import type { AuditBook } from './audit.ts';
import type { Base } from './base.ts';
import type { Books } from './books.ts';
import { orderActions } from './tables.ts';
import { rowWriter } from './write-rows.ts';

const ACTS = { CANCEL: 'CANCEL_ORDER', FINISH: 'FINISH_ORDER', RESEND: 'RESEND_SMS' } as const;

/** Order actions in SQLite: one row for each order and action, held by a lease and then keeping its outcome. */
export function createActionStore(
  { database, db, writer }: Base,
  books: Books,
  audit: AuditBook,
): ActionStore {
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
    begin: (orderId, action, token, leaseMs, by) =>
      writer.write((unit): ActionClaim => {
        const row = findAction.get({ orderId, action });
        if (row !== undefined && row.outcome === null && unit.now < row.leaseUntil) {
          return {
            kind: 'running',
            until: rowReader('order_actions', actionKey(row)).instant(row.leaseUntil),
          };
        }
        saveAction({ orderId, action, token, leaseUntil: instant(unit.now + leaseMs) });
        audit.add(by, ACTS[action], orderId, unit.now);
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
