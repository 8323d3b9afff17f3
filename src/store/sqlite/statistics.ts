import { and, eq, gte, isNotNull, lt, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Visibility } from '../../domain/access.ts';
import { parseCountryId, parsePlatformId } from '../../domain/ids.ts';
import type { OrderStatistics, StatisticsGroup } from '../../domain/orders/statistics.ts';
import { HOUR, type Instant } from '../../domain/time.ts';
import type { StatisticsStore } from '../../ports/store/statistics.ts';
import { rowReader } from '../bad-row.ts';
import { type Contribution, contributionOf, failureOf, hourOf } from '../order-contribution.ts';
import { attemptFrom } from '../rows/attempt.ts';
import { orderFrom } from '../rows/order.ts';
import { createTallies, groupField } from '../tallies.ts';
import { attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import type { OrderFacts } from './order-facts.ts';
import { orders } from './tables.ts';
import { orderCounts, orderFacts, smsTimes } from './watch-tables.ts';

/** Whole hours are read as counted; the hour that `since` cuts through is counted anew from its orders. */
export function createStatistics({ db }: Base, facts: Pick<OrderFacts, 'placeOf'>): StatisticsStore {
  const hours = (group: StatisticsGroup, isOwn: boolean) => {
    const key = groupField[group];
    const counted = (hour: SQLiteColumn, owner: SQLiteColumn) =>
      and(gte(hour, sql.placeholder('hour')), isOwn ? eq(owner, sql.placeholder('caller')) : undefined);
    const total = (of: SQLiteColumn) => sql<number>`sum(${of})`;
    return {
      counts: db
        .select({
          key: orderCounts[key],
          orders: total(orderCounts.orders),
          received: total(orderCounts.received),
          expired: total(orderCounts.expired),
          canceled: total(orderCounts.canceled),
          failed: total(orderCounts.failed),
        })
        .from(orderCounts)
        .where(counted(orderCounts.hour, orderCounts.owner))
        .groupBy(orderCounts[key])
        .prepare(),
      times: db
        .select({
          key: smsTimes[key],
          bin: smsTimes.bin,
          count: total(smsTimes.count),
          longest: sql<number>`max(${smsTimes.longest})`,
        })
        .from(smsTimes)
        .where(counted(smsTimes.hour, smsTimes.owner))
        .groupBy(smsTimes[key], smsTimes.bin)
        .prepare(),
    };
  };
  const groups: readonly StatisticsGroup[] = ['PLATFORM', 'COUNTRY', 'OPERATOR', 'PRODUCT'];
  const own = new Map(groups.map((group) => [group, hours(group, true)]));
  const all = new Map(groups.map((group) => [group, hours(group, false)]));

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
      const isOwn = scope.kind === 'own';
      const prepared = (isOwn ? own : all).get(groupBy);
      if (prepared === undefined) throw new Error('no such group of statistics');
      const isWhole = since % HOUR === 0;
      const hour = isWhole ? hourOf(since) : hourOf(since) + 1;
      const who = { hour, ...(isOwn ? { caller: scope.caller } : {}) };
      const tallies = createTallies();
      for (const { key, ...counts } of prepared.counts.all(who)) tallies.addCounts(key, counts);
      for (const { key, bin, count, longest } of prepared.times.all(who)) {
        tallies.addTimes(key, bin, count, longest);
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
  };
}
