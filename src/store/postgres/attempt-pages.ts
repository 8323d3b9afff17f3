import { type Attempt, attemptStates } from '../../domain/orders/attempt.ts';
import type { AttemptStore } from '../../ports/store/attempts.ts';
import { cutPage } from '../cut-page.ts';
import { attemptFrom } from '../rows/attempt.ts';
import { attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import { totalOf } from './list-totals.ts';
import { select } from './statements.ts';

/**
 * One walk down an index for each state asked for, merged here: a single query over several states would either sort
 * all of them or pass over all others.
 */
export function attemptPages(base: Base): AttemptStore['page'] {
  return async (scope, states, { first, after }) => {
    const values: unknown[] = [];
    const conditions: string[] = [];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    if (scope.kind === 'own') conditions.push(`caller = ${parameter(scope.caller)}`);
    if (after !== null) {
      conditions.push(`(started_at, id) < (${parameter(after.startedAt)}, ${parameter(after.id)})`);
    }
    const limit = parameter(first + 1);
    const walk = (more: readonly string[], last: readonly unknown[]): Promise<Attempt[]> => {
      const where = [...conditions, ...more, 'true'].join(' and ');
      const asked = select(attempts, `where ${where} order by started_at desc, id desc limit ${limit}`);
      return base.database.read(asked, [...values, ...last]).then((rows) => rows.map(attemptFrom));
    };
    const wished = states === null ? null : attemptStates.filter((state) => states.includes(state));
    const [total, ...walks] = await Promise.all([
      totalOf(base, 'attempts', scope, states),
      ...(wished === null
        ? [walk([], [])]
        : wished.map((state) => walk([`state = $${values.length + 1}`], [state]))),
    ]);
    const found = walks.flat();
    if (walks.length > 1) found.sort(newestFirst);
    return cutPage(found, first, total, ({ startedAt, id }) => ({ startedAt, id }));
  };
}

function newestFirst(a: Attempt, b: Attempt): number {
  if (a.startedAt !== b.startedAt) return b.startedAt - a.startedAt;
  return a.id < b.id ? 1 : -1;
}
