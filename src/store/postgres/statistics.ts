import type { Visibility } from '../../domain/access.ts';
import type { StatisticsGroup } from '../../domain/orders/statistics.ts';
import { HOUR, type Instant } from '../../domain/time.ts';
import type { StatisticsStore } from '../../ports/store/statistics.ts';
import { BadRow } from '../bad-row.ts';
import { firstWholeDay, spansBeside } from '../day-sums.ts';
import { type Contribution, type Counts, contributionOf, failureOf, hourOf } from '../order-contribution.ts';
import { attemptFrom } from '../rows/attempt.ts';
import { orderFrom } from '../rows/order.ts';
import { placeFrom } from '../rows/product.ts';
import { createTallies, groupField } from '../tallies.ts';
import { attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import { sumDay } from './day-sums.ts';
import { type Statement, selectPairs, statement, wholeNumber } from './statements.ts';
import { orders, seenProducts } from './tables.ts';
import { orderFacts } from './watch-tables.ts';

const nowhere = { platformId: null, countryId: null };

/** `$2` is the owner; null: of all. */
const ofOwner = (column: string) => `($2::text is null or ${column} = $2)`;

/** Behind every hour there is. */
const NO_HOUR = Number.MAX_SAFE_INTEGER;

interface Reads {
  readonly days: Statement<{ readonly key: number; readonly counts: Counts; readonly times: Uint8Array }>;
  readonly counts: Statement<{ readonly key: number; readonly counts: Counts }>;
  readonly times: Statement<{
    readonly key: number;
    readonly bin: number;
    readonly count: number;
    readonly longest: number;
  }>;
}

function readsBy(column: string): Reads {
  const beside = `join unnest($1::bigint[], $3::bigint[]) as span (first, past) on hour >= first and hour < past
       where ${ofOwner('owner')}`;
  const sum = (of: string) => `sum(${of})::bigint`;
  return {
    days: statement(
      `select ${column}, orders, received, expired, canceled, failed, times from day_sums
       where day = any($1::bigint[]) and ${ofOwner('owner')}`,
      ([key, ...sums]) => {
        const times = sums.pop();
        if (!Buffer.isBuffer(times)) throw new BadRow('day_sums', String(key));
        return { key: wholeNumber(key), counts: countsOf(sums), times };
      },
    ),
    counts: statement(
      `select ${column}, ${['orders', 'received', 'expired', 'canceled', 'failed'].map(sum).join(', ')}
       from order_counts ${beside} group by ${column}`,
      ([key, ...sums]) => ({ key: wholeNumber(key), counts: countsOf(sums) }),
    ),
    times: statement(
      `select ${column}, bin, ${sum('count')}, max(longest) from sms_times ${beside} group by ${column}, bin`,
      ([key, bin, count, longest]) => ({
        key: wholeNumber(key),
        bin: wholeNumber(bin),
        count: wholeNumber(count),
        longest: wholeNumber(longest),
      }),
    ),
  };
}

function countsOf(sums: readonly unknown[]): Counts {
  const [orders, received, expired, canceled, failed] = sums.map(wholeNumber);
  return {
    orders: orders ?? 0,
    received: received ?? 0,
    expired: expired ?? 0,
    canceled: canceled ?? 0,
    failed: failed ?? 0,
  };
}

const reads: Readonly<Record<StatisticsGroup, Reads>> = {
  PLATFORM: readsBy('platform_id'),
  COUNTRY: readsBy('country_id'),
  OPERATOR: readsBy('operator_id'),
  PRODUCT: readsBy('product_id'),
};
const findStanding = statement('select day from summed_days where day >= $1 order by day', ([day]) =>
  wholeNumber(day),
);
const ordersWithin = selectPairs(
  orders,
  orderFacts,
  `join order_facts on order_facts.order_id = orders.id
   where orders.created_at >= $1 and ${ofOwner('orders.owner')} and orders.created_at < $3 and amount is not null`,
);
const attemptsWithin = selectPairs(
  attempts,
  seenProducts,
  `left join lateral (select * from seen_products p where p.catalog_product_id = attempts.catalog_product_id
     order by p.id limit 1) as seen_products on true
   where attempts.started_at >= $1 and ${ofOwner('attempts.caller')} and attempts.started_at < $3`,
);

/**
 * Days that are summed up are read as such, and beside them whole hours as counted; the hour that `since` cuts through is
 * counted anew from its orders.
 */
export function createStatistics({ database }: Base): StatisticsStore {
  async function within(scope: Visibility, from: Instant, to: number): Promise<Contribution[]> {
    const values = [from, scope.kind === 'own' ? scope.caller : null, to];
    const [made, asked] = await Promise.all([
      database.read(ordersWithin, values),
      database.read(attemptsWithin, values),
    ]);
    return [
      ...made.flatMap(([order, facts]) => {
        const place = facts === null ? nowhere : placeFrom({ ...facts, id: order.id });
        return contributionOf(orderFrom(order), place) ?? [];
      }),
      ...asked.flatMap(
        ([attempt, product]) =>
          failureOf(attemptFrom(attempt), product === null ? nowhere : placeFrom(product)) ?? [],
      ),
    ];
  }

  return {
    async orders(scope, since, groupBy) {
      const isWhole = since % HOUR === 0;
      const hour = isWhole ? hourOf(since) : hourOf(since) + 1;
      const owner = scope.kind === 'own' ? scope.caller : null;
      const summed = await database.read(findStanding, [firstWholeDay(hour)]);
      const spans = spansBeside(hour, summed);
      const hours = [spans.map(({ from }) => from), owner, spans.map(({ to }) => to ?? NO_HOUR)];
      const [days, counts, times, rest] = await Promise.all([
        summed.length === 0 ? [] : database.read(reads[groupBy].days, [summed, owner]),
        database.read(reads[groupBy].counts, hours),
        database.read(reads[groupBy].times, hours),
        isWhole ? [] : within(scope, since, hour * HOUR),
      ]);
      const tallies = createTallies();
      for (const { key, counts: sums, times: packed } of days) {
        tallies.addCounts(key, sums);
        tallies.addDay(key, packed);
      }
      for (const { key, counts: sums } of counts) tallies.addCounts(key, sums);
      for (const { key, bin, count, longest } of times) tallies.addTimes(key, bin, count, longest);
      for (const { key, counts: told, firstSms } of rest) {
        tallies.addCounts(key[groupField[groupBy]], told);
        if (firstSms !== null) {
          tallies.addTimes(key[groupField[groupBy]], firstSms.bin, 1, firstSms.milliseconds);
        }
      }
      return tallies.result();
    },
    sumDay: (before) => sumDay({ database }, before),
  };
}
