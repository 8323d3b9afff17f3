import type { ActionClaim, ActionStore } from '../../ports/store/orders.ts';
import { BadRow, rowReader } from '../bad-row.ts';
import { receiptLine } from '../book-lines.ts';
import { actionKey, outcomeColumns, outcomeFrom } from '../rows/action.ts';
import { addAudit } from './audit.ts';
import { type Base, time } from './base.ts';
import { createLedger, lockedBudgets } from './ledger.ts';
import { lockedOrders } from './load-orders.ts';
import { select, statement, update, wholeNumber } from './statements.ts';
import { orderActions } from './tables.ts';
import { keep, leave } from './transaction.ts';

const ACTS = { CANCEL: 'CANCEL_ORDER', FINISH: 'FINISH_ORDER', RESEND: 'RESEND_SMS' } as const;

const claim = statement(
  `insert into order_actions (order_id, action, token, lease_until) values ($1, $2, $3, ${time(5)} + $4::bigint)
   on conflict (order_id, action) do update set token = excluded.token, lease_until = excluded.lease_until,
     outcome = null, refund_amount = null, new_balance = null, resent = null, after_revision = null,
     http_status = null, code = null, latest_status = null
   where order_actions.outcome is not null or order_actions.lease_until <= ${time(5)}
   returning lease_until`,
  ([leaseUntil]) => wholeNumber(leaseUntil),
);
const findAction = select(orderActions, 'where order_id = $1 and action = $2');
const lockAction = select(orderActions, 'where order_id = $1 and action = $2 for no key update');
const saveAction = update(orderActions, 'order_id', 'action');

/** Order actions in PostgreSQL: one row for each order and action, held by a lease and then keeping its outcome. */
export function createActionStore({ database, at }: Base): ActionStore {
  return {
    begin: (orderId, action, token, leaseMs, by) =>
      database.write<ActionClaim>(async (tx) => {
        const [[leaseUntil], [row], now] = await Promise.all([
          tx.rows(claim, [orderId, action, token, leaseMs, at()]),
          tx.rows(findAction, [orderId, action]),
          tx.now(),
        ]);
        if (leaseUntil !== undefined) {
          addAudit(tx, by, ACTS[action], orderId, now);
          return keep(() => ({ kind: 'claimed', token }));
        }
        if (row === undefined) throw new BadRow('order_actions', actionKey({ orderId, action }));
        if (tx.mayBeKept && row.token === token && row.outcome === null) {
          return leave({ kind: 'claimed', token });
        }
        const until = rowReader('order_actions', actionKey(row)).instant(row.leaseUntil);
        return leave({ kind: 'running', until });
      }),
    end: (orderId, action, token, outcome) =>
      database.write<void>(async (tx) => {
        const [loaded, [row], now] = await Promise.all([
          lockedOrders(tx, [orderId], []),
          tx.rows(lockAction, [orderId, action]),
          tx.now(),
        ]);
        const ledger = createLedger();
        // A receipt is a receipt, whoever has taken the action over meanwhile.
        if (action === 'CANCEL' && outcome.kind === 'receipt' && outcome.refund !== null) {
          const line = receiptLine(loaded.lines(orderId), outcome.refund.refundAmount);
          if (line !== null) ledger.add(line);
        }
        const isOurs = row !== undefined && row.token === token && row.outcome === null;
        const callers = ledger.callers();
        if (!isOurs && callers.length === 0) return leave(undefined);
        ledger.write(tx, await lockedBudgets(tx, callers), now);
        if (isOurs) {
          const ended = { orderId, action, token, leaseUntil: now, ...outcomeColumns(outcome) };
          tx.send(saveAction, saveAction.values([ended]));
          tx.wake([`order:${orderId}`]);
        }
        return keep(() => undefined);
      }),
    async outcome(orderId, action) {
      const [row] = await database.read(findAction, [orderId, action]);
      return row === undefined ? null : outcomeFrom(row);
    },
  };
}
