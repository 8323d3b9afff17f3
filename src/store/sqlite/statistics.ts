import { and, eq, gte, isNotNull, lt, sql } from 'drizzle-orm';
import type { Visibility } from '../../domain/access.ts';
import { parseCountryId, parsePlatformId } from '../../domain/ids.ts';
import type { OrderStatistics, StatisticsGroup } from '../../domain/orders/statistics.ts';
import { HOUR, type Instant } from '../../domain/time.ts';
import type { StatisticsStore } from '../../ports/store/statistics.ts';
import { rowReader } from '../bad-row.ts';
import { dayOf, firstWholeDay, spansBeside } from '../day-sums.ts';
import { type Contribution, contributionOf, failureOf, hourOf } from '../order-contribution.ts';
import { attemptFrom } from '../rows/attempt.ts';
import { orderFrom } from '../rows/order.ts';
import { createTallies, groupField } from '../tallies.ts';
import { attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import { createDaySums } from './day-sums.ts';
import type { OrderFacts } from './order-facts.ts';
import { orders } from './tables.ts';
import { daySums, orderFacts } from './watch-tables.ts';

/** Behind every hour there is. */
const NO_HOUR = Number.MAX_SAFE_INTEGER;

type Sums = readonly [
  key: number,
  orders: number,
  received: number,
  expired: number,
  canceled: number,
  failed: number,
];

/**
 * Days that are summed up are read as such, and beside them whole hours as counted; the hour that `since` cuts through is
 * counted anew from its orders.
 */
export function createStatistics(base: Base, facts: Pick<OrderFacts, 'placeOf'>): StatisticsStore {
  const { database, db, writer } = base;
  const days = createDaySums(base);

  function readsBy(group: StatisticsGroup, isOwn: boolean) {
    const key = daySums[groupField[group]].name;
    const ofOwner = isOwn ? 'and owner = ?' : '';
    return {
      days: database
        .prepare<(string | number)[], readonly [...Sums, times: Buffer]>(
          `select ${key}, orders, received, expired, canceled, failed, times from day_sums
           where day in (select value from json_each(?)) ${ofOwner}`,
        )
        .raw(),
      counts: database
        .prepare<(string | number)[], Sums>(
          `select ${key}, sum(orders), sum(received), sum(expired), sum(canceled), sum(failed)
           from order_counts where hour >= ? and hour < ? ${ofOwner} group by 1`,
        )
        .raw(),
      times: database
        .prepare<(string | number)[], readonly [key: number, bin: number, count: number, longest: number]>(
          `select ${key}, bin, sum(count), max(longest)
           from sms_times where hour >= ? and hour < ? ${ofOwner} group by 1, 2`,
        )
        .raw(),
    };
  }
  const groups: readonly StatisticsGroup[] = ['PLATFORM', 'COUNTRY', 'OPERATOR', 'PRODUCT'];
  const own = new Map(groups.map((group) => [group, readsBy(group, true)]));
  const all = new Map(groups.map((group) => [group, readsBy(group, false)]));

  const ordersWithin = (isOwn: boolean) =>
    db
      .select({ order: orders, facts: orderFacts })
      .from(orders)
      .innerJoin(orderFacts, eq(orderFacts.orderId, orders.id))
      .where(
        and(
          gte(orders.createdAt, sql.placeholder('from')),
          lt(orders.createdAt, sql.placeholder('to')),
          isNotNull(orders.amount),
          isOwn ? eq(orders.owner, sql.placeholder('caller')) : undefined,
        ),
      )
      .prepare();
  const attemptsWithin = (isOwn: boolean) =>
    db
      .select()
      .from(attempts)
      .where(
        and(
          gte(attempts.startedAt, sql.placeholder('from')),
          lt(attempts.startedAt, sql.placeholder('to')),
          isOwn ? eq(attempts.caller, sql.placeholder('caller')) : undefined,
        ),
      )
      .prepare();
  const ordersOfOwner = ordersWithin(true);
  const ordersOfAll = ordersWithin(false);
  const attemptsOfOwner = attemptsWithin(true);
  const attemptsOfAll = attemptsWithin(false);

  function* within(scope: Visibility, from: Instant, to: number): Generator<Contribution> {
    const isOwn = scope.kind === 'own';
    const who = { from, to, ...(isOwn ? { caller: scope.caller } : {}) };
    for (const row of (isOwn ? ordersOfOwner : ordersOfAll).all(who)) {
      const read = rowReader('order_facts', row.facts.orderId);
      const place = {
        platformId: read.maybe(row.facts.platformId, parsePlatformId),
        countryId: read.maybe(row.facts.countryId, parseCountryId),
      };
      const contribution = contributionOf(orderFrom(row.order), place);
      if (contribution !== null) yield contribution;
    }
    for (const row of (isOwn ? attemptsOfOwner : attemptsOfAll).all(who)) {
      const attempt = attemptFrom(row);
      const place = facts.placeOf({ productId: null, catalogProductId: attempt.catalogProductId });
      const failure = failureOf(attempt, place);
      if (failure !== null) yield failure;
    }
  }

  return {
    async orders(scope, since, groupBy): Promise<readonly OrderStatistics[]> {
      const prepared = (scope.kind === 'own' ? own : all).get(groupBy);
      if (prepared === undefined) throw new Error('no such group of statistics');
      const who = scope.kind === 'own' ? [scope.caller] : [];
      const isWhole = since % HOUR === 0;
      const hour = isWhole ? hourOf(since) : hourOf(since) + 1;
      const summed = days.standing(firstWholeDay(hour));
      const tallies = createTallies();
      for (const [key, ...sums] of prepared.days.iterate(JSON.stringify(summed), ...who)) {
        const [made, received, expired, canceled, failed, times] = sums;
        tallies.addCounts(key, { orders: made, received, expired, canceled, failed });
        tallies.addDay(key, times);
      }
      for (const { from, to } of spansBeside(hour, summed)) {
        for (const [key, ...sums] of prepared.counts.all(from, to ?? NO_HOUR, ...who)) {
          const [made, received, expired, canceled, failed] = sums;
          tallies.addCounts(key, { orders: made, received, expired, canceled, failed });
        }
        for (const [key, bin, count, longest] of prepared.times.all(from, to ?? NO_HOUR, ...who)) {
          tallies.addTimes(key, bin, count, longest);
        }
      }
      if (!isWhole) {
        for (const { key, counts, firstSms } of within(scope, since, hour * HOUR)) {
          tallies.addCounts(key[groupField[groupBy]], counts);
          if (firstSms !== null)
            tallies.addTimes(key[groupField[groupBy]], firstSms.bin, 1, firstSms.milliseconds);
        }
      }
      return tallies.result();
    },
    // A day of 30,000 orders takes some tens of milliseconds, once: behind the writes that somebody waits for.
    sumDay: (before) => writer.writeBehind(() => days.sumOne(dayOf(before))),
  };
}
