import type { Visibility } from '../../domain/access.ts';
import type { Base } from './base.ts';
import { statement, wholeNumber } from './statements.ts';

const countOwn = statement(
  `select coalesce(sum(total), 0)::bigint from list_totals
   where list = $1 and owner = $2 and ($3::text[] is null or state = any($3))`,
  ([total]) => wholeNumber(total),
);
const countAll = statement(
  `select coalesce(sum(total), 0)::bigint from list_totals
   where list = $1 and ($2::text[] is null or state = any($2))`,
  ([total]) => wholeNumber(total),
);

/** How many rows a list has, by owner and state; `states` null: of all states. */
export async function totalOf(
  { database }: Base,
  list: 'attempts' | 'orders',
  scope: Visibility,
  states: readonly string[] | null,
): Promise<number> {
  const [total] =
    scope.kind === 'own'
      ? await database.read(countOwn, [list, scope.caller, states])
      : await database.read(countAll, [list, states]);
  return total ?? 0;
}
