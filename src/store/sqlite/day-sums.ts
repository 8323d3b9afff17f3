import { hoursOf, sumsOf } from '../day-sums.ts';
import type { Counts } from '../order-contribution.ts';
import type { Base } from './base.ts';
import { daySums } from './watch-tables.ts';
import { rowWriter } from './write-rows.ts';

type GroupColumns = Readonly<
  Record<'platformId' | 'countryId' | 'operatorId' | 'productId', number> & { owner: string }
>;

/** Days whose hours are summed up. */
interface DaySums {
  /** Those that stand, rising, from this one on. */
  standing(from: number): readonly number[];
  /** Sums up the latest one before this day that is not; false: none is left. To be used inside of a write alone. */
  sumOne(before: number): boolean;
}

const GROUP =
  'owner, platform_id as platformId, country_id as countryId, operator_id as operatorId, product_id as productId';

export function createDaySums({ database }: Base): DaySums {
  const findStanding = database
    .prepare<[number], number>('select day from summed_days where day >= ? order by day')
    .pluck();
  // From day to day by the key: there are a hundred thousand rows of hours, and nearly always nothing to do.
  const findDay = database
    .prepare<[number], number>(
      `with recursive days (day) as (
         select (select hour from order_counts where hour >= 0 and hour < ? * 24 order by hour desc limit 1) / 24
         union all
         select (select hour from order_counts where hour >= 0 and hour < day * 24 order by hour desc limit 1) / 24 from days where day is not null)
       select day from days where day is not null and day not in (select day from summed_days) limit 1`,
    )
    .pluck();
  const counts = database.prepare<[number, number], GroupColumns & Counts>(
    `select ${GROUP}, sum(orders) as orders, sum(received) as received, sum(expired) as expired,
       sum(canceled) as canceled, sum(failed) as failed
     from order_counts where hour >= ? and hour < ? group by 1, 2, 3, 4, 5`,
  );
  const times = database.prepare<
    [number, number],
    GroupColumns & { readonly bin: number; readonly count: number; readonly longest: number }
  >(
    `select ${GROUP}, bin, sum(count) as count, max(longest) as longest
     from sms_times where hour >= ? and hour < ? group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
  );
  const drop = database.prepare('delete from day_sums where day = ?');
  const add = rowWriter(database, daySums, 'fail');
  const note = database.prepare('insert into summed_days (day) values (?)');

  return {
    standing: (from) => findStanding.all(from),
    sumOne(before) {
      const day = findDay.get(before);
      if (day === undefined) return false;
      const { from, to } = hoursOf(day);
      drop.run(day);
      for (const sum of sumsOf(day, counts.all(from, to), times.all(from, to))) add({ ...sum });
      note.run(day);
      return true;
    },
  };
}
