import type { Instant } from '../../domain/time.ts';
import { dayOf, hoursOf, sumsOf } from '../day-sums.ts';
import type { Base } from './base.ts';
import { command, insertInto, statement, wholeNumber } from './statements.ts';
import { keep, leave } from './transaction.ts';
import { daySums } from './watch-tables.ts';

// From day to day by the key: there are a hundred thousand rows of hours, and nearly always nothing to do.
const findDay = statement(
  `with recursive days (day) as (
     select (select hour from order_counts where hour >= 0 and hour < $1 * 24 order by hour desc limit 1) / 24
     union all
     select (select hour from order_counts where hour >= 0 and hour < day * 24 order by hour desc limit 1) / 24 from days where day is not null)
   select day from days where day is not null and day not in (select day from summed_days) limit 1`,
  ([day]) => wholeNumber(day),
);
const standStill = statement('select counting_stands_still()', ([isStill]) => isStill === true);
const GROUP = 'owner, platform_id, country_id, operator_id, product_id';
const sum = (of: string) => `sum(${of})::bigint`;
const counts = statement(
  `select ${GROUP}, ${['orders', 'received', 'expired', 'canceled', 'failed'].map(sum).join(', ')}
   from order_counts where hour >= $1 and hour < $2 group by ${GROUP}`,
  ([owner, ...numbers]) => {
    const [platformId, countryId, operatorId, productId, orders, received, expired, canceled, failed] =
      numbers.map(wholeNumber);
    return {
      ...groupOf(owner, platformId, countryId, operatorId, productId),
      orders: orders ?? 0,
      received: received ?? 0,
      expired: expired ?? 0,
      canceled: canceled ?? 0,
      failed: failed ?? 0,
    };
  },
);
const times = statement(
  `select ${GROUP}, bin, ${sum('count')}, max(longest)
   from sms_times where hour >= $1 and hour < $2 group by ${GROUP}, bin order by bin`,
  ([owner, ...numbers]) => {
    const [platformId, countryId, operatorId, productId, bin, count, longest] = numbers.map(wholeNumber);
    return {
      ...groupOf(owner, platformId, countryId, operatorId, productId),
      bin: bin ?? 0,
      count: count ?? 0,
      longest: longest ?? 0,
    };
  },
);
const drop = command('delete from day_sums where day = $1');
const add = insertInto(daySums);
const note = command('insert into summed_days (day) values ($1)');

/** Sums up one day, while nobody counts. */
export async function sumDay({ database }: Pick<Base, 'database'>, before: Instant): Promise<boolean> {
  const end = [dayOf(before)];
  // Asked before anybody is held up.
  if ((await database.read(findDay, end)).length === 0) return false;
  return database.write(async (tx) => {
    const [isStill] = await tx.rows(standStill);
    const [day] = isStill === true ? await tx.rows(findDay, end) : [];
    if (day === undefined) return leave(false);
    const { from, to } = hoursOf(day);
    const [counted, timed] = await Promise.all([tx.rows(counts, [from, to]), tx.rows(times, [from, to])]);
    tx.send(drop, [day]);
    tx.send(add, add.values(sumsOf(day, counted, timed).map((row) => ({ ...row }))));
    tx.send(note, [day]);
    return keep(() => true);
  });
}

function groupOf(
  owner: unknown,
  platformId: number | undefined,
  countryId: number | undefined,
  operatorId: number | undefined,
  productId: number | undefined,
) {
  return {
    owner: String(owner),
    platformId: platformId ?? 0,
    countryId: countryId ?? 0,
    operatorId: operatorId ?? 0,
    productId: productId ?? 0,
  };
}
