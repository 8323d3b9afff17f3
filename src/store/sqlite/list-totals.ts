import { and, eq, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import type { CallerName } from '../../domain/ids.ts';
import type { Base } from './base.ts';
import { listTotals } from './tables.ts';

/** Under what a row is counted; null: it is not in the list. */
export type ListEntry = { readonly owner: CallerName | null; readonly state: string } | null;

/** The totals of one list, kept in step as its rows come and change. */
export interface ListTotals {
  /** To be used inside of a write alone. */
  move(from: ListEntry, to: ListEntry): void;
  /** `states` null: of all states. */
  total(scope: Visibility, states: readonly string[] | null): number;
}

export function createListTotals({ database, db }: Base, list: 'attempts' | 'orders'): ListTotals {
  // By hand: moved with each write, and a statement of Drizzle's takes twice as long to be told its parameters.
  const change = database.prepare<[owner: string, state: string, change: number]>(
    `insert into list_totals (list, owner, state, total) values ('${list}', ?, ?, ?)
     on conflict (list, owner, state) do update set total = total + excluded.total`,
  );
  const columns = { state: listTotals.state, total: listTotals.total };
  const ofList = eq(listTotals.list, list);
  const findAll = db.select(columns).from(listTotals).where(ofList).prepare();
  const findOwn = db
    .select(columns)
    .from(listTotals)
    .where(and(ofList, eq(listTotals.owner, sql.placeholder('owner'))))
    .prepare();

  return {
    move(from, to) {
      if (from?.owner === to?.owner && from?.state === to?.state) return;
      if (from !== null) change.run(from.owner ?? '', from.state, -1);
      if (to !== null) change.run(to.owner ?? '', to.state, 1);
    },
    total(scope, states) {
      const rows = scope.kind === 'all' ? findAll.all() : findOwn.all({ owner: scope.caller });
      const asked = rows.filter(({ state }) => states === null || states.includes(state));
      return asked.reduce((sum, { total }) => sum + total, 0);
    },
  };
}
