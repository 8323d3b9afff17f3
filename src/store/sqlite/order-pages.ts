import { and, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import { type Order, orderStatuses } from '../../domain/orders/order.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { OrderPosition, OrderQuery } from '../../ports/store/orders.ts';
import { cutPage } from '../cut-page.ts';
import { orderFrom } from '../rows/order.ts';
import { attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import type { ListTotals } from './list-totals.ts';
import { orders } from './tables.ts';

type OrderPages = (
  scope: Visibility,
  query: OrderQuery,
  request: PageRequest<OrderPosition>,
) => Page<Order, OrderPosition>;

/** The term by which the planner knows that the partial indexes of `orders` hold all that is asked for. */
const shown = sql`amount is not null`;

/** Like the pages of attempts: one walk down an index for each status asked for. `createdTo` itself is not included. */
export function orderPages(db: Base['db'], totals: ListTotals): OrderPages {
  function walk(conditions: readonly SQL[], behind: SQL | undefined, limit: number): Order[] {
    return db
      .select()
      .from(orders)
      .where(and(...conditions, behind))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(limit)
      .all()
      .map(orderFrom);
  }

  function counted(conditions: readonly SQL[]): number {
    return (
      db
        .select({ total: count() })
        .from(orders)
        .where(and(...conditions))
        .get()?.total ?? 0
    );
  }

  return (scope, query, { first, after }) => {
    const walks = walksOf(scope, query);
    const behind =
      after === null
        ? undefined
        : sql`(${orders.createdAt}, ${orders.id}) < (${after.createdAt}, ${after.id})`;
    const found = walks.flatMap((conditions) => walk(conditions, behind, first + 1));
    if (walks.length > 1) found.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    const total = hasKeptTotal(query)
      ? totals.total(scope, query.statuses)
      : walks.reduce((sum, conditions) => sum + counted(conditions), 0);
    return cutPage(found, first, total, ({ createdAt, id }) => ({ createdAt, id }));
  };
}

/** Asked for by owner and status alone. Of a job or a number there are few, and a span of time is counted on its index. */
function hasKeptTotal({ businessJobId, phoneNumber, createdFrom, createdTo }: OrderQuery): boolean {
  return businessJobId === null && phoneNumber === null && createdFrom === null && createdTo === null;
}

function walksOf(scope: Visibility, query: OrderQuery): SQL[][] {
  const { statuses, businessJobId, phoneNumber, createdFrom, createdTo } = query;
  // A job or a number has few orders. The plus sign keeps the planner, which has no statistics, from going through all
  // of an owner's or a status's instead.
  const plus = businessJobId !== null || phoneNumber !== null ? sql`+` : sql``;
  const conditions: SQL[] = [shown];
  if (scope.kind === 'own') conditions.push(sql`${plus}${orders.owner} = ${scope.caller}`);
  if (businessJobId !== null) {
    const ofScope = scope.kind === 'own' ? sql` and ${attempts.caller} = ${scope.caller}` : sql``;
    conditions.push(
      sql`${orders.attemptId} in (select ${attempts.id} from ${attempts} where ${attempts.businessJobId} = ${businessJobId}${ofScope})`,
    );
  }
  if (phoneNumber !== null) conditions.push(eq(orders.phoneNumber, phoneNumber));
  if (createdFrom !== null) conditions.push(gte(orders.createdAt, createdFrom));
  if (createdTo !== null) conditions.push(lt(orders.createdAt, createdTo));
  if (statuses === null) return [conditions];
  return orderStatuses
    .filter((status) => statuses.includes(status))
    .map((status) => [...conditions, sql`${plus}${orders.status} = ${status}`]);
}
