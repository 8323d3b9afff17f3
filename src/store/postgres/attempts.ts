import { parseAttemptId } from '../../domain/ids.ts';
import { openStates } from '../../domain/orders/attempt.ts';
import { earliestOf } from '../../domain/time.ts';
import type { AttemptStore } from '../../ports/store/attempts.ts';
import { rowReader } from '../bad-row.ts';
import { attemptFrom, eventFrom } from '../rows/attempt.ts';
import { orderFrom } from '../rows/order.ts';
import { attemptPages } from './attempt-pages.ts';
import { attemptEvents, attempts } from './attempt-tables.ts';
import { type Base, time } from './base.ts';
import { createClaiming } from './prepare-attempt.ts';
import { createSettling } from './settle-attempt.ts';
import { select, selectPairs } from './statements.ts';
import { orders } from './tables.ts';

const findOfJob = selectPairs(
  attempts,
  orders,
  `left join orders on orders.attempt_id = attempts.id
   where attempts.caller = $1 and attempts.business_job_id = $2 order by orders.id`,
);
const findByIds = select(attempts, 'where id = any($1::text[])');
const findDue = select(
  attempts,
  `where due_at is not null and due_at <= ${time(1)} order by due_at, id limit $2`,
);
const findNextDue = select(attempts, 'where due_at is not null order by due_at, id limit 1');
const findOldest = select(attempts, 'where state = $1 order by started_at, id limit 1');
const findEvents = select(attemptEvents, 'where attempt_id = $1 and version > $2 order by version');

/** Attempts in PostgreSQL. The order of judgement is that of the ports' docstrings, inside of one transaction each. */
export function createAttemptStore(base: Base): AttemptStore {
  const { database, at } = base;
  return {
    ...createClaiming(base),
    ...createSettling(base),
    async find(caller, businessJobId) {
      const pairs = await database.read(findOfJob, [caller, businessJobId]);
      const [first] = pairs;
      if (first === undefined) return null;
      const made = pairs.flatMap(([, order]) => (order === null ? [] : [orderFrom(order)]));
      return { attempt: attemptFrom(first[0]), orders: made };
    },
    async byIds(scope, ids) {
      const found = (await database.read(findByIds, [ids])).map(attemptFrom);
      return found.filter(({ caller }) => scope.kind === 'all' || caller === scope.caller);
    },
    async due(limit) {
      const rows = await database.read(findDue, [at(), limit]);
      return rows.map(({ id }) => rowReader('attempts', id).sure(parseAttemptId(id)));
    },
    async nextDueAt() {
      const [row] = await database.read(findNextDue, []);
      return row === undefined ? null : rowReader('attempts', row.id).maybeInstant(row.dueAt);
    },
    async oldestOpenAt() {
      const found = await Promise.all(openStates.map((state) => database.read(findOldest, [state])));
      return earliestOf(found.flatMap(([row]) => (row === undefined ? [] : [attemptFrom(row).startedAt])));
    },
    async events(attemptId, afterVersion) {
      return (await database.read(findEvents, [attemptId, afterVersion])).map(eventFrom);
    },
    page: attemptPages(base),
  };
}
