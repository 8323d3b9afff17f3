import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import { hasRoomFor } from '../../domain/budget/budget.ts';
import { type OrderId, parseAttemptId } from '../../domain/ids.ts';
import { type Attempt, attemptNotes, type Claim, openStates } from '../../domain/orders/attempt.ts';
import type { Adoption } from '../../domain/orders/merge.ts';
import type { Order, OrderSnapshot } from '../../domain/orders/order.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import { settle } from '../../domain/orders/settle.ts';
import { earliestOf } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AttemptStore, Closing, Prepared, Settled, Taken } from '../../ports/store/attempts.ts';
import { beginAttempt, closeAttempt, settleAttempt, takeAttempt } from '../attempt-steps.ts';
import { rowReader } from '../bad-row.ts';
import { isShown } from '../order-effects.ts';
import { attemptFrom, eventFrom } from '../rows/attempt.ts';
import type { AttemptBook } from './attempt-book.ts';
import { attemptPages } from './attempt-pages.ts';
import { attemptEvents, attempts } from './attempt-tables.ts';
import type { AuditBook } from './audit.ts';
import { type Base, inList } from './base.ts';
import type { Books } from './books.ts';
import type { ListTotals } from './list-totals.ts';
import type { OrderBook } from './order-book.ts';
import type { Unit } from './writer.ts';

const PAID_ACTS = { CREATE: 'CREATE_ORDER', REACTIVATE: 'REACTIVATE_ORDER' } as const;

interface Parts {
  readonly base: Base;
  readonly clock: Pick<Clock, 'now'>;
  readonly attemptBook: AttemptBook;
  readonly audit: AuditBook;
  readonly orderBook: OrderBook;
  readonly books: Books;
  readonly totals: ListTotals;
}

/** Attempts in SQLite. The order of judgement is that of the ports' docstrings, inside of one transaction each. */
export function createAttemptStore({
  base,
  clock,
  attemptBook,
  audit,
  orderBook,
  books,
  totals,
}: Parts): AttemptStore {
  const { db, writer } = base;
  const findByIds = db.select().from(attempts).where(inList(attempts.id, 'ids')).prepare();
  const findDue = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(isNotNull(attempts.dueAt), lte(attempts.dueAt, sql.placeholder('now'))))
    .orderBy(asc(attempts.dueAt), asc(attempts.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const findNextDue = db
    .select({ id: attempts.id, dueAt: attempts.dueAt })
    .from(attempts)
    .where(isNotNull(attempts.dueAt))
    .orderBy(asc(attempts.dueAt), asc(attempts.id))
    .limit(1)
    .prepare();
  const findOldest = db
    .select()
    .from(attempts)
    .where(eq(attempts.state, sql.placeholder('state')))
    .orderBy(asc(attempts.startedAt), asc(attempts.id))
    .limit(1)
    .prepare();
  const findEvents = db
    .select()
    .from(attemptEvents)
    .where(
      and(
        eq(attemptEvents.attemptId, sql.placeholder('attemptId')),
        gt(attemptEvents.version, sql.placeholder('afterVersion')),
      ),
    )
    .orderBy(asc(attemptEvents.version))
    .prepare();
  const page = attemptPages(db, totals);

  /** Why a reply's orders cannot be taken over, in words for the history; null where they can. */
  function objection(attempt: Attempt, snapshots: readonly OrderSnapshot[]): string | null {
    if (new Set(snapshots.map(({ id }) => id)).size !== snapshots.length) {
      return attemptNotes.orderTwice;
    }
    const taken = snapshots.some(({ id }) => {
      const owner = orderBook.load(id)?.attemptId ?? null;
      return owner !== null && owner !== attempt.id;
    });
    return taken ? attemptNotes.orderOfAnother : null;
  }

  function settled(claim: Claim, reply: PaidReply, unit: Unit): Settled {
    const { attempt, claimToken } = attemptBook.load(claim.attemptId);
    if (claimToken !== claim.token || attempt.version !== claim.version || attempt.state !== 'SENDING') {
      attemptBook.keepEvidence(claim, reply, unit.now);
      return { kind: 'claim-lost', attempt };
    }
    const why = reply.kind === 'made' ? objection(attempt, reply.orders) : null;
    // Never another's order, and never a failure either: money has moved, so a person will have to look.
    if (why !== null) attemptBook.keepEvidence(claim, reply, unit.now);
    const judged: PaidReply = why === null ? reply : { kind: 'malformed-success', httpStatus: 200 };
    const transition = settle(attempt, judged, unit.now);
    const step = settleAttempt(attempt, transition, unit.now, why);
    attemptBook.write(attempt, step, null, unit);
    if (transition.kind === 'resolved') {
      const readAt = attemptBook.sentAt(claim);
      const adoption = adoptionInto(attempt);
      for (const snapshot of transition.orders) {
        orderBook.merge(snapshot, { source: 'POLL', readAt, adoption }, unit);
      }
    }
    return { kind: 'settled', attempt: step.attempt, orders: orderBook.ofAttempt(attempt.id) };
  }

  /** An order that a person may adopt into the attempt: known here, and nobody else's. */
  function adoptable(attempt: Attempt, orderId: OrderId): Order | null {
    const order = orderBook.load(orderId);
    if (order === null || !isShown(order)) return null;
    return order.attemptId === null || order.attemptId === attempt.id ? order : null;
  }

  function adopt(attempt: Attempt, order: Order, unit: Unit): void {
    const nothingNew: OrderSnapshot = {
      id: order.id,
      status: order.status,
      capabilities: {},
      evidence: null,
    };
    const adoption = adoptionInto(attempt);
    orderBook.merge(nothingNew, { source: 'POLL', readAt: order.asOf, adoption }, unit);
  }

  return {
    async find(caller, businessJobId) {
      const attempt = attemptBook.ofJob(caller, businessJobId);
      return attempt === null ? null : { attempt, orders: orderBook.ofAttempt(attempt.id) };
    },
    async byIds(scope, ids) {
      const found = findByIds.all({ ids: JSON.stringify(ids) }).map(attemptFrom);
      return found.filter(({ caller }) => scope.kind === 'all' || caller === scope.caller);
    },
    prepare: (draft, claimToken, by) =>
      writer.write((unit): Prepared => {
        const known = attemptBook.ofJob(draft.caller, draft.businessJobId);
        if (known !== null) return { kind: 'known', attempt: known };
        if (attemptBook.isKeyTaken(draft.idempotencyKey)) return { kind: 'key-taken' };
        const budget = books.of(draft.caller);
        if (!hasRoomFor(budget, draft.reserve)) return { kind: 'over-budget', budget };
        const step = beginAttempt(draft, unit.now);
        const claim = claimOn(step.attempt, claimToken);
        attemptBook.write(null, step, claim?.token ?? null, unit);
        audit.add(by, PAID_ACTS[draft.request.kind], draft.id, unit.now);
        return { kind: 'fresh', attempt: step.attempt, claim };
      }),
    take: (id, claimToken) =>
      writer.write((unit): Taken => {
        const { attempt } = attemptBook.load(id);
        const step = takeAttempt(attempt, unit.now);
        if (step === null) return { kind: 'not-sent', attempt };
        const claim = claimOn(step.attempt, claimToken);
        attemptBook.write(attempt, step, claim?.token ?? null, unit);
        return claim === null
          ? { kind: 'not-sent', attempt: step.attempt }
          : { kind: 'claimed', attempt: step.attempt, claim };
      }),
    settle: (claim, reply) => writer.write((unit) => settled(claim, reply, unit)),
    async due(limit) {
      const rows = findDue.all({ now: clock.now(), limit });
      return rows.map(({ id }) => rowReader('attempts', id).sure(parseAttemptId(id)));
    },
    async nextDueAt() {
      const row = findNextDue.get();
      return row === undefined ? null : rowReader('attempts', row.id).maybeInstant(row.dueAt);
    },
    async oldestOpenAt() {
      const found = openStates.map((state) => findOldest.get({ state }));
      return earliestOf(found.flatMap((row) => (row === undefined ? [] : [attemptFrom(row).startedAt])));
    },
    async events(attemptId, afterVersion) {
      return findEvents.all({ attemptId, afterVersion }).map(eventFrom);
    },
    async page(scope, states, request) {
      return page(scope, states, request);
    },
    close: (caller, businessJobId, { orderIds, note }, by) =>
      writer.write((unit): Closing => {
        const attempt = attemptBook.ofJob(caller, businessJobId);
        if (attempt === null) return { kind: 'not-found' };
        if (attempt.state !== 'OPERATOR_REVIEW') return { kind: 'not-in-review', attempt };
        const adopted: Order[] = [];
        for (const orderId of new Set(orderIds)) {
          const order = adoptable(attempt, orderId);
          if (order === null) return { kind: 'order-taken', orderId };
          adopted.push(order);
        }
        const step = closeAttempt(attempt, unit.now, note);
        attemptBook.write(attempt, step, null, unit);
        for (const order of adopted) adopt(attempt, order, unit);
        audit.add(by, 'CLOSE_ATTEMPT', attempt.id, unit.now);
        return { kind: 'closed', attempt: step.attempt, orders: orderBook.ofAttempt(attempt.id) };
      }),
  };
}

function adoptionInto({ id, caller, request }: Attempt): Adoption {
  const reactivatedFromId = request.kind === 'REACTIVATE' ? request.orderId : null;
  return { owner: caller, attemptId: id, reactivatedFromId };
}

/** Null for a step that led to a person's review: nobody is to send. */
function claimOn(attempt: Attempt, token: string): Claim | null {
  return attempt.state === 'SENDING' ? { attemptId: attempt.id, token, version: attempt.version } : null;
}
