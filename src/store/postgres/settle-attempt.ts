import type { Budget } from '../../domain/budget/budget.ts';
import type { CallerName, OrderId } from '../../domain/ids.ts';
import { type Attempt, attemptNotes } from '../../domain/orders/attempt.ts';
import type { Adoption } from '../../domain/orders/merge.ts';
import type { Order, OrderSnapshot } from '../../domain/orders/order.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import { settle } from '../../domain/orders/settle.ts';
import type { AttemptStore, Closing, Settled } from '../../ports/store/attempts.ts';
import { closeAttempt, settleAttempt } from '../attempt-steps.ts';
import { BadRow } from '../bad-row.ts';
import { isShown } from '../order-effects.ts';
import { createOrderSheet, type LoadedOrders } from '../order-sheet.ts';
import { attemptFrom, eventFrom } from '../rows/attempt.ts';
import { budgetFrom } from '../rows/book-line.ts';
import { orderFrom } from '../rows/order.ts';
import { attemptEvents, attempts } from './attempt-tables.ts';
import { addAudit } from './audit.ts';
import type { Base } from './base.ts';
import { createLedger, lockedBudgets } from './ledger.ts';
import { lockedOrders, placeOfAttempt } from './load-orders.ts';
import { select } from './statements.ts';
import { budgets, orders } from './tables.ts';
import { keep, leave, type Transaction } from './transaction.ts';
import { keepEvidence, writeAttempt } from './write-attempt.ts';
import { tally, writeMessages, writeOrders } from './write-orders.ts';

const lockAttempt = select(attempts, 'where id = $1 for no key update');
const lockOfJob = select(attempts, 'where caller = $1 and business_job_id = $2 for no key update');
const lockBudgetOf = select(
  budgets,
  'join attempts on attempts.caller = budgets.caller where attempts.id = $1 for no key update of budgets',
);
const lockBudget = select(budgets, 'where caller = $1 for no key update');
const findEvents = select(attemptEvents, 'where attempt_id = $1 and version >= $2 order by version limit 2');
const findOrdersOf = select(orders, 'where attempt_id = $1 and attempt_id is not null order by id');

/** The two ways in which an attempt comes to its end. Locks are taken in one order: attempt, orders, budget. */
export function createSettling({ database }: Base): Pick<AttemptStore, 'settle' | 'close'> {
  return {
    settle: (claim, reply) =>
      database.write<Settled>(async (tx) => {
        const told = reply.kind === 'made' ? reply.orders : [];
        const [[row], loaded, budgetRows, [sent, next], place, now] = await Promise.all([
          tx.rows(lockAttempt, [claim.attemptId]),
          lockedOrders(
            tx,
            told.map(({ id }) => id),
            told,
          ),
          tx.rows(lockBudgetOf, [claim.attemptId]),
          tx.rows(findEvents, [claim.attemptId, claim.version]),
          placeOfAttempt(tx, claim.attemptId),
          tx.now(),
        ]);
        if (row === undefined) throw new Error(`there is no attempt ${claim.attemptId}`);
        const attempt = attemptFrom(row);
        if (
          row.claimToken !== claim.token ||
          attempt.version !== claim.version ||
          attempt.state !== 'SENDING'
        ) {
          // Only who held the claim can have written what follows it, unless he was found lost.
          const isOwn = tx.mayBeKept && next !== undefined && next.reason !== 'SENDER_LOST';
          if (isOwn) {
            const made = (await tx.rows(findOrdersOf, [attempt.id])).map(orderFrom);
            return leave({ kind: 'settled', attempt, orders: made });
          }
          keepEvidence(tx, claim, reply, now);
          return keep(() => ({ kind: 'claim-lost', attempt }));
        }
        const why = reply.kind === 'made' ? objection(attempt, reply.orders, loaded) : null;
        // Never another's order, and never a failure either: money has moved, so a person will have to look.
        if (why !== null) keepEvidence(tx, claim, reply, now);
        const judged: PaidReply = why === null ? reply : { kind: 'malformed-success', httpStatus: 200 };
        const transition = settle(attempt, judged, now);
        const step = settleAttempt(attempt, transition, now, why);
        const budget = await budgetOf(tx, attempt, budgetRows);
        const ledger = createLedger();
        const sheet = createOrderSheet(loaded, now);
        if (transition.kind === 'resolved') {
          if (sent === undefined) throw new BadRow('attempt_events', `${attempt.id}/${claim.version}`);
          const readAt = eventFrom(sent).at;
          const adoption = adoptionInto(attempt);
          for (const snapshot of transition.orders) {
            sheet.merge(snapshot, { source: 'POLL', readAt, adoption });
          }
        }
        writeAttempt(tx, ledger, attempt, step, null, place);
        tally(sheet.written, ledger);
        writeOrders(tx, sheet.written);
        ledger.write(tx, budget, now);
        const made = tx.rows(findOrdersOf, [attempt.id]);
        writeMessages(tx, sheet.written);
        return keep(async () => ({
          kind: 'settled',
          attempt: step.attempt,
          orders: (await made).map(orderFrom),
        }));
      }),
    close: (caller, businessJobId, { orderIds, note }, by) =>
      database.write<Closing>(async (tx) => {
        const ids = [...new Set(orderIds)];
        const [[row], loaded, budgetRows, now] = await Promise.all([
          tx.rows(lockOfJob, [caller, businessJobId]),
          lockedOrders(tx, ids, []),
          tx.rows(lockBudget, [caller]),
          tx.now(),
        ]);
        if (row === undefined) return leave({ kind: 'not-found' });
        const attempt = attemptFrom(row);
        if (attempt.state !== 'OPERATOR_REVIEW') {
          if (!tx.mayBeKept || attempt.state !== 'CLOSED') return leave({ kind: 'not-in-review', attempt });
          const made = (await tx.rows(findOrdersOf, [attempt.id])).map(orderFrom);
          return leave({ kind: 'closed', attempt, orders: made });
        }
        const adopted: Order[] = [];
        for (const orderId of ids) {
          const order = adoptable(attempt, loaded.order(orderId));
          if (order === null) return leave({ kind: 'order-taken', orderId });
          adopted.push(order);
        }
        const step = closeAttempt(attempt, now, note);
        const budget = await budgetOf(tx, attempt, budgetRows);
        const ledger = createLedger();
        const sheet = createOrderSheet(loaded, now);
        const adoption = adoptionInto(attempt);
        for (const { id, status, asOf } of adopted) {
          const nothingNew: OrderSnapshot = { id, status, capabilities: {}, evidence: null };
          sheet.merge(nothingNew, { source: 'POLL', readAt: asOf, adoption });
        }
        writeAttempt(tx, ledger, attempt, step, null, null);
        addAudit(tx, by, 'CLOSE_ATTEMPT', attempt.id, now);
        tally(sheet.written, ledger);
        writeOrders(tx, sheet.written);
        ledger.write(tx, budget, now);
        const made = tx.rows(findOrdersOf, [attempt.id]);
        writeMessages(tx, sheet.written);
        return keep(async () => ({
          kind: 'closed',
          attempt: step.attempt,
          orders: (await made).map(orderFrom),
        }));
      }),
  };
}

/** Why a reply's orders cannot be taken over, in words for the history; null where they can. */
function objection(
  attempt: Attempt,
  snapshots: readonly OrderSnapshot[],
  loaded: LoadedOrders,
): string | null {
  if (new Set(snapshots.map(({ id }) => id)).size !== snapshots.length) {
    return attemptNotes.orderTwice;
  }
  const isTaken = snapshots.some(({ id }) => {
    const owner = loaded.order(id)?.attemptId ?? null;
    return owner !== null && owner !== attempt.id;
  });
  return isTaken ? attemptNotes.orderOfAnother : null;
}

/** An order that a person may adopt into the attempt: known here, and nobody else's. */
function adoptable(attempt: Attempt, order: Order | null): Order | null {
  if (order === null || !isShown(order)) return null;
  return order.attemptId === null || order.attemptId === attempt.id ? order : null;
}

function adoptionInto({ id, caller, request }: Attempt): Adoption {
  const reactivatedFromId: OrderId | null = request.kind === 'REACTIVATE' ? request.orderId : null;
  return { owner: caller, attemptId: id, reactivatedFromId };
}

/** Of a caller who never reserved anything there may be none yet. */
async function budgetOf(
  tx: Transaction,
  { caller }: Attempt,
  [row]: readonly (typeof budgets.$inferSelect)[],
): Promise<ReadonlyMap<CallerName, Budget>> {
  return row === undefined ? lockedBudgets(tx, [caller]) : new Map([[caller, budgetFrom(row)]]);
}
