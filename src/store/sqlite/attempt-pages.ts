import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import { type Attempt, type AttemptState, attemptStates } from '../../domain/orders/attempt.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { AttemptPosition } from '../../ports/store/attempts.ts';
import { cutPage } from '../cut-page.ts';
import { attemptFrom } from '../rows/attempt.ts';
import { attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import type { ListTotals } from './list-totals.ts';

type AttemptPages = (
  scope: Visibility,
  states: readonly AttemptState[] | null,
  request: PageRequest<AttemptPosition>,
) => Page<Attempt, AttemptPosition>;

/**
 * One walk down an index for each state asked for, merged here: a single query over several states would either sort
 * all of them or pass over all others.
 */
export function attemptPages(db: Base['db'], totals: ListTotals): AttemptPages {
  function walk(conditions: readonly (SQL | undefined)[], behind: SQL | undefined, limit: number): Attempt[] {
    return db
      .select()
      .from(attempts)
      .where(and(...conditions, behind))
      .orderBy(desc(attempts.startedAt), desc(attempts.id))
      .limit(limit)
      .all()
      .map(attemptFrom);
  }

  return (scope, states, { first, after }) => {
    const own = scope.kind === 'own' ? eq(attempts.caller, scope.caller) : undefined;
    const behind =
      after === null
        ? undefined
        : sql`(${attempts.startedAt}, ${attempts.id}) < (${after.startedAt}, ${after.id})`;
    const walks =
      states === null
        ? [[own]]
        : attemptStates
            .filter((state) => states.includes(state))
            .map((state) => [own, eq(attempts.state, state)]);
    const found = walks.flatMap((conditions) => walk(conditions, behind, first + 1));
    if (walks.length > 1) found.sort(newestFirst);
    return cutPage(found, first, totals.total(scope, states), ({ startedAt, id }) => ({ startedAt, id }));
  };
}

function newestFirst(a: Attempt, b: Attempt): number {
  if (a.startedAt !== b.startedAt) return b.startedAt - a.startedAt;
  return a.id < b.id ? 1 : -1;
}
