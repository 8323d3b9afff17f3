import type { Visibility } from '../../domain/access.ts';
import { type Order, orderStatuses } from '../../domain/orders/order.ts';
import type { OrderQuery, OrderStore } from '../../ports/store/orders.ts';
import { cutPage } from '../cut-page.ts';
import { orderFrom } from '../rows/order.ts';
import { toStoredText } from '../stored-text.ts';
import type { Base } from './base.ts';
import { totalOf } from './list-totals.ts';
import { select, statement, wholeNumber } from './statements.ts';
import { orders } from './tables.ts';

/** Like the pages of attempts: one walk down an index for each status asked for. `createdTo` itself is not included. */
export function orderPages(base: Base): OrderStore['page'] {
  const { database } = base;
  return async (scope, query, { first, after }) => {
    const asked = conditionsOf(scope, query);
    const values = [...asked.values];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const behind =
      after === null ? 'true' : `(created_at, id) < (${parameter(after.createdAt)}, ${parameter(after.id)})`;
    const limit = parameter(first + 1);
    const wished = query.statuses;
    const states = wished === null ? null : orderStatuses.filter((status) => wished.includes(status));
    const walk = async (condition: string, last: readonly unknown[]): Promise<Order[]> => {
      const where = `where ${asked.where} and ${behind} and ${condition} order by created_at desc, id desc limit ${limit}`;
      return (await database.read(select(orders, where), [...values, ...last])).map(orderFrom);
    };
    const [total, ...walks] = await Promise.all([
      hasKeptTotal(query) ? totalOf(base, 'orders', scope, states) : counted(base, asked, states),
      ...(states === null
        ? [walk('true', [])]
        : states.map((state) => walk(`status = $${values.length + 1}`, [state]))),
    ]);
    const found = walks.flat();
    if (walks.length > 1) found.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    return cutPage(found, first, total, ({ createdAt, id }) => ({ createdAt, id }));
  };
}

interface Conditions {
  readonly where: string;
  readonly values: readonly unknown[];
}

async function counted(
  { database }: Base,
  { where, values }: Conditions,
  states: readonly string[] | null,
): Promise<number> {
  const last = `$${values.length + 1}::text[]`;
  const count = statement(
    `select count(*) from orders where ${where} and (${last} is null or status = any(${last}))`,
    ([total]) => wholeNumber(total),
  );
  const [total] = await database.read(count, [...values, states]);
  return total ?? 0;
}

/** Asked for by owner and status alone. Of a job or a number there are few, and a span of time is counted on its index. */
function hasKeptTotal({ businessJobId, phoneNumber, createdFrom, createdTo }: OrderQuery): boolean {
  return businessJobId === null && phoneNumber === null && createdFrom === null && createdTo === null;
}

function conditionsOf(scope: Visibility, query: OrderQuery): Conditions {
  const { businessJobId, phoneNumber, createdFrom, createdTo } = query;
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  // The term by which the planner knows that the partial indexes hold all that is asked for.
  const conditions = ['amount is not null'];
  if (scope.kind === 'own') conditions.push(`owner = ${parameter(scope.caller)}`);
  if (businessJobId !== null) {
    const ofScope = scope.kind === 'own' ? ` and attempts.caller = ${parameter(scope.caller)}` : '';
    conditions.push(
      `attempt_id in (select attempts.id from attempts where business_job_id = ${parameter(businessJobId)}${ofScope})`,
    );
  }
  if (phoneNumber !== null) {
    const number = parameter(toStoredText(phoneNumber));
    conditions.push(`left(phone_number, 64) = left(${number}, 64) and phone_number = ${number}`);
  }
  if (createdFrom !== null) conditions.push(`created_at >= ${parameter(createdFrom)}`);
  if (createdTo !== null) conditions.push(`created_at < ${parameter(createdTo)}`);
  return { where: conditions.join(' and '), values };
}
