import { parseCountryId, parsePlatformId } from '../../domain/ids.ts';
import type { Attempt } from '../../domain/orders/attempt.ts';
import { isTerminal, type Order } from '../../domain/orders/order.ts';
import type { Instant } from '../../domain/time.ts';
import { rowReader } from '../bad-row.ts';
import {
  type Contribution,
  contributionOf,
  failureOf,
  isSameContribution,
  type Place,
} from '../order-contribution.ts';
import type { Base } from './base.ts';
import { rowFinder } from './read-rows.ts';
import { seenProducts } from './tables.ts';
import { orderFacts } from './watch-tables.ts';
import { rowWriter } from './write-rows.ts';

/** Keeps the statistics in step with orders, and notes when one ended. To be used inside of a write alone. */
export interface OrderFacts {
  orderChanged(before: Order | null, after: Order, at: Instant): void;
  attemptFailed(attempt: Attempt): void;
  /** Where what was ordered belongs, as far as the catalog ever told. */
  placeOf(order: Pick<Order, 'productId' | 'catalogProductId'>): Place;
}

const nowhere: Place = { platformId: null, countryId: null };

/** Most messages but the first: what is known of its place need not be read to tell. */
function isCountedAlike(before: Order, after: Order): boolean {
  return (
    isTerminal(before.status) === isTerminal(after.status) &&
    isSameContribution(contributionOf(before, nowhere), contributionOf(after, nowhere))
  );
}

export function createOrderFacts({ database }: Base): OrderFacts {
  const findFacts = rowFinder(database, orderFacts, 'where order_id = ?');
  const saveFacts = rowWriter(database, orderFacts, { replaceBy: ['order_id'] });
  const findTier = rowFinder(database, seenProducts, 'where id = ?');
  const findOfCatalog = rowFinder(database, seenProducts, 'where catalog_product_id = ? limit 1');
  // By hand: Drizzle has no typed way to add to a column on conflict with a prepared parameter.
  const addCounts = database.prepare(
    `insert into order_counts (hour, owner, platform_id, country_id, operator_id, product_id, orders, received, expired, canceled, failed)
     values (@hour, @owner, @platformId, @countryId, @operatorId, @productId, @orders, @received, @expired, @canceled, @failed)
     on conflict do update set orders = orders + excluded.orders, received = received + excluded.received,
       expired = expired + excluded.expired, canceled = canceled + excluded.canceled, failed = failed + excluded.failed`,
  );
  const addTime = database.prepare(
    `insert into sms_times (hour, owner, platform_id, country_id, operator_id, product_id, bin, count, longest)
     values (@hour, @owner, @platformId, @countryId, @operatorId, @productId, @bin, @count, @longest)
     on conflict do update set count = count + excluded.count, longest = max(longest, excluded.longest)`,
  );

  function add({ key, counts, firstSms }: Contribution, sign: 1 | -1): void {
    addCounts.run({
      ...key,
      orders: sign * counts.orders,
      received: sign * counts.received,
      expired: sign * counts.expired,
      canceled: sign * counts.canceled,
      failed: sign * counts.failed,
    });
    if (firstSms === null) return;
    addTime.run({ ...key, bin: firstSms.bin, count: sign, longest: sign === 1 ? firstSms.milliseconds : 0 });
  }

  function placeOf(order: Pick<Order, 'productId' | 'catalogProductId'>): Place {
    const row =
      (order.productId === null ? undefined : findTier.one(order.productId)) ??
      (order.catalogProductId === null ? undefined : findOfCatalog.one(order.catalogProductId));
    if (row === undefined) return nowhere;
    const read = rowReader('seen_products', row.id);
    return {
      platformId: read.maybe(row.platformId, parsePlatformId),
      countryId: read.maybe(row.countryId, parseCountryId),
    };
  }

  return {
    placeOf,
    orderChanged(before, after, at) {
      if (before !== null && isCountedAlike(before, after)) return;
      const row = findFacts.one(after.id);
      const known = row === undefined ? null : rowReader('order_facts', row.orderId);
      // Counted under what was known first: what is taken away later must be what was given.
      const place =
        row === undefined || known === null
          ? placeOf(after)
          : {
              platformId: known.maybe(row.platformId, parsePlatformId),
              countryId: known.maybe(row.countryId, parseCountryId),
            };
      const old = contributionOf(before, place);
      const next = contributionOf(after, place);
      if (!isSameContribution(old, next)) {
        if (old !== null) add(old, -1);
        if (next !== null) add(next, 1);
      }
      const endedAt = isTerminal(after.status) ? (row?.endedAt ?? at) : null;
      if (row === undefined || row.endedAt !== endedAt) {
        saveFacts({ orderId: after.id, ...place, endedAt, erased: row?.erased ?? false });
      }
    },
    attemptFailed(attempt) {
      if (failureOf(attempt, nowhere) === null) return;
      const place = placeOf({ productId: null, catalogProductId: attempt.catalogProductId });
      const failure = failureOf(attempt, place);
      if (failure !== null) add(failure, 1);
    },
  };
}
