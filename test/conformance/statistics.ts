import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseCatalogProductId,
  parseCountryId,
  parseOperatorId,
  parsePlatformId,
  parseProductId,
} from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { OrderSnapshot } from '../../src/domain/orders/order.ts';
import { binOf, percentilesOf, type StatisticsGroup } from '../../src/domain/orders/statistics.ts';
import { DAY, HOUR, type Instant, instant, later, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  bob,
  bought,
  draft,
  endedEvent,
  ofAlice,
  ofAll,
  ofBob,
  prepared,
  receive,
  sms,
  snapshot,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

const nothing = { orders: 0, received: 0, expired: 0, canceled: 0, failed: 0, secondsToFirstSms: null };

const productId = (product: number) => known(parseCatalogProductId(product));

/** From the orders one by one. */
function expected(
  orders: readonly { readonly at: Instant; readonly product: number; readonly seconds: number | null }[],
  since: Instant,
) {
  const told = orders.filter(({ at }) => at >= since);
  return [...new Set(told.map(({ product }) => product))]
    .map((key) => {
      const made = told.filter(({ product }) => product === key);
      const times = made.flatMap(({ seconds }) => seconds ?? []);
      const bins = new Map<number, number>();
      for (const time of times) bins.set(binOf(time), (bins.get(binOf(time)) ?? 0) + 1);
      const secondsToFirstSms = percentilesOf(bins, Math.max(0, ...times));
      return { ...nothing, key, orders: made.length, received: times.length, secondsToFirstSms };
    })
    .sort((a, b) => b.orders - a.orders || a.key - b.key);
}

export function describeStatistics(create: CreateDatabase): void {
  describe('statistics', () => {
    const world = useWorld(create);
    const start = () => instant(Math.floor(world().now() / HOUR) * HOUR);
    const of = (
      groupBy: StatisticsGroup,
      since: Instant = start(),
      scope: typeof ofAll | typeof ofAlice | typeof ofBob = ofAll,
    ) => world().store.statistics.orders(scope, since, groupBy);

    /** Tier 501 is of catalog product 1007 on platform 3 in country 62. */
    async function list(): Promise<void> {
      await world().store.seenProducts.remember([
        {
          id: known(parseProductId(501)),
          catalogProductId: known(parseCatalogProductId(1_007)),
          name: 'Telegram',
          countryId: known(parseCountryId(62)),
          platformId: known(parsePlatformId(3)),
          operatorId: null,
          operatorName: null,
          available: 1,
          price: rupiah(4_000),
          active: true,
          asOf: world().now(),
        },
      ]);
    }

    async function read(id: number, but: Partial<OrderSnapshot> = {}): Promise<void> {
      world().clock.pass(SECOND);
      const recorded = await world().store.orders.record(snapshot(id, but), world().now());
      if (recorded.kind !== 'recorded') throw new Error(recorded.kind);
    }

    it('has none of nothing', async () => {
      expect(await of('PLATFORM')).toEqual([]);
      expect(await of('PRODUCT', world().now())).toEqual([]);
    });

    it('counts by where a product belongs, as far as the catalog told', async () => {
      await list();
      const catalogProductId = known(parseCatalogProductId(1_007));
      const operatorId = known(parseOperatorId(7));
      await bought(world().store, draft('a'), snapshot(21, { catalogProductId, operatorId }));
      await bought(world().store, draft('b'), snapshot(22, { productId: known(parseProductId(9)) }));
      const two = (key: number) => [
        { ...nothing, key: null, orders: 1 },
        { ...nothing, key, orders: 1 },
      ];
      expect(await of('PLATFORM')).toEqual(two(3));
      expect(await of('COUNTRY')).toEqual(two(62));
      expect(await of('OPERATOR')).toEqual(two(7));
      expect(await of('PRODUCT')).toEqual(two(1_007));
    });

    it('counts an order by what became of it: received before all else', async () => {
      const { store } = world();
      await bought(store, draft('a'), ...[21, 22, 23, 24].map((id) => snapshot(id)));
      await read(21, sms(0));
      await read(22, { status: 'EXPIRED' });
      await read(23, { status: 'CANCELED' });
      await read(24, sms(0));
      await receive(store, 24, endedEvent(24, 'EXPIRED'));
      expect(await of('PLATFORM')).toMatchObject([
        { key: null, orders: 4, received: 2, expired: 1, canceled: 1, failed: 0 },
      ]);
    });

    it('takes back what no longer holds: a message after the end', async () => {
      const { store } = world();
      await bought(store, draft('a'), snapshot(21));
      await read(21, { status: 'EXPIRED' });
      expect(await of('PLATFORM')).toMatchObject([{ orders: 1, received: 0, expired: 1 }]);
      await read(21, sms(0));
      expect(await of('PLATFORM')).toMatchObject([{ orders: 1, received: 1, expired: 0 }]);
    });

    it('counts an order that only a webhook has told of once a read completes it', async () => {
      await receive(world().store, 21, endedEvent(21, 'CANCELED'));
      expect(await of('PLATFORM')).toEqual([]);
      await read(21, { status: 'CANCELED' });
      expect(await of('PLATFORM')).toMatchObject([{ orders: 1, canceled: 1 }]);
    });

    it('moves an order that is adopted to its new owner', async () => {
      const { store } = world();
      await read(21, sms(0));
      expect(await of('PLATFORM', start(), ofAlice)).toEqual([]);
      await bought(store, draft('a'), snapshot(21));
      expect(await of('PLATFORM', start(), ofAlice)).toMatchObject([{ orders: 1, received: 1 }]);
      expect(await of('PLATFORM')).toMatchObject([{ orders: 1, received: 1 }]);
    });

    it('counts orders that were asked for and not made, by the attempt’s product', async () => {
      const { store } = world();
      await list();
      const refused = await prepared(store, draft('a', { quantity: 3 }));
      await store.attempts.settle(refused, {
        kind: 'failure',
        httpStatus: 422,
        code: 'NO_OFFER_AVAILABLE',
        retryAfterSeconds: null,
      });
      const partly = await prepared(store, draft('b', { quantity: 2, caller: bob }));
      await store.attempts.settle(partly, { kind: 'made', orders: [snapshot(21)], failedCount: 1 });
      const unclear = await prepared(store, draft('c'));
      await store.attempts.settle(unclear, { kind: 'transport' });
      const totals = (rows: Awaited<ReturnType<typeof of>>) =>
        rows.reduce((sum, { orders, failed }) => [(sum[0] ?? 0) + orders, (sum[1] ?? 0) + failed], [0, 0]);
      for (const since of [start(), instant(start() + 1)]) {
        expect(totals(await of('COUNTRY', since))).toEqual([1, 4]);
        expect(totals(await of('COUNTRY', since, ofAlice))).toEqual([0, 3]);
        expect(totals(await of('COUNTRY', since, ofBob))).toEqual([1, 1]);
        expect((await of('COUNTRY', since, ofAlice)).map(({ key }) => key)).toEqual([62]);
      }
    });

    it('counts since an instant exactly, within an hour and over many', async () => {
      const { clock, store } = world();
      const times: Instant[] = [];
      for (let id = 0; id < 6; id++) {
        times.push(clock.now());
        await store.orders.record(snapshot(id, { createdAt: clock.now() }), clock.now());
        clock.pass(25 * MINUTE);
      }
      for (const [index, at] of times.entries()) {
        const countSince = async (since: Instant) => (await of('PLATFORM', since))[0]?.orders ?? 0;
        expect(await countSince(at)).toBe(times.length - index);
        expect(await countSince(later(at, 1))).toBe(times.length - index - 1);
      }
    });

    it('tells how long the first message took, and not the later ones', async () => {
      const { store, clock } = world();
      await bought(store, draft('a'), snapshot(21), snapshot(22));
      const createdAt = clock.now();
      for (const [id, seconds] of [
        [21, 10],
        [22, 100],
      ] as const) {
        const otpReceivedAt = later(createdAt, seconds * SECOND);
        await read(id, { ...sms(0), createdAt, otpReceivedAt });
        await read(id, { ...sms(1), createdAt, otpReceivedAt });
      }
      for (const since of [start(), createdAt]) {
        const [row] = await of('PLATFORM', since);
        const times = known(known(row).secondsToFirstSms);
        expect(times.max).toBe(100);
        expect(times.p50).toBeGreaterThan(9.7);
        expect(times.p50).toBeLessThan(10.3);
      }
    });

    it('lists the largest groups first', async () => {
      const { store } = world();
      for (const [id, product] of [1, 2, 2, 3, 3, 3].entries()) {
        const catalogProductId = known(parseCatalogProductId(product));
        await store.orders.record(snapshot(id, { catalogProductId }), world().now());
      }
      expect((await of('PRODUCT')).map(({ key, orders }) => [key, orders])).toEqual([
        [3, 3],
        [2, 2],
        [1, 1],
      ]);
    });

    describe('whose days are summed up', () => {
      const all = async (since: Instant) => (await of('PLATFORM', since))[0];
      const summed = async () => (await world().database.query('select day from summed_days')).length;

      it('reads the sums of whole days, and hours beside them', async () => {
        const { store, clock, database } = world();
        const midnight = instant(Math.ceil(clock.now() / DAY) * DAY);
        for (const [id, hours] of [-1, 0, 5, 24, 47, 48].entries()) {
          const createdAt = later(midnight, hours * HOUR);
          await store.orders.record(snapshot(id, { createdAt }), createdAt);
        }
        clock.pass(3 * DAY);
        const days = async () => {
          let count = 0;
          while (await store.statistics.sumDay(later(midnight, 2 * DAY))) count += 1;
          return count;
        };
        // The day before, the two behind it; the last is not over.
        expect(await days()).toBe(3);
        expect(await days()).toBe(0);
        expect(await all(later(midnight, -1 * HOUR))).toMatchObject({ orders: 6 });
        expect(await all(later(midnight, 1))).toMatchObject({ orders: 4 });
        // Else this could not tell that they are read at all.
        await database.query('update day_sums set orders = orders + 100');
        expect(await all(midnight)).toMatchObject({ orders: 205 });
        expect(await all(later(midnight, 1))).toMatchObject({ orders: 104 });
        expect(await all(later(midnight, -1 * HOUR))).toMatchObject({ orders: 206 });
      });

      it('does not read the sum of a day in which something was counted since', async () => {
        const { store, clock } = world();
        const since = instant(Math.floor(clock.now() / DAY) * DAY);
        const createdAt = clock.now();
        await store.orders.record(snapshot(21, { createdAt }), clock.now());
        clock.pass(2 * DAY);
        expect(await store.statistics.sumDay(clock.now())).toBe(true);
        expect(await summed()).toBe(1);
        await read(21, { ...sms(0), createdAt, otpReceivedAt: later(createdAt, SECOND) });
        expect(await summed()).toBe(0);
        expect(await all(since)).toMatchObject({ received: 1, secondsToFirstSms: { max: 1 } });
        expect(await store.statistics.sumDay(clock.now())).toBe(true);
        expect(await all(since)).toMatchObject({ received: 1, secondsToFirstSms: { max: 1 } });
      });

      it('tells what the orders themselves come to, since any instant and whatever is summed up when', async () => {
        const { store, clock } = world();
        const start = clock.now();
        const orders = new Map<number, { at: Instant; product: number; seconds: number | null }>();
        const change = fc.record({
          id: fc.nat({ max: 60 }),
          minutes: fc.nat({ max: 4 * 24 * 60 }),
          product: fc.integer({ min: 1, max: 3 }),
          seconds: fc.option(fc.integer({ min: 1, max: 900 })),
          sums: fc.boolean(),
        });
        clock.pass(4 * DAY);
        await fc.assert(
          fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
            for (const { id, minutes, product, seconds, sums } of changes) {
              const known = orders.get(id) ?? { at: later(start, minutes * MINUTE), product, seconds: null };
              // The first message stays the first.
              const now = { ...known, seconds: known.seconds ?? seconds };
              orders.set(id, now);
              await read(id, {
                ...(now.seconds === null ? {} : sms(0)),
                createdAt: now.at,
                catalogProductId: productId(now.product),
                ...(now.seconds === null ? {} : { otpReceivedAt: later(now.at, now.seconds * SECOND) }),
              });
              if (sums) await store.statistics.sumDay(clock.now());
            }
            for (const since of [0, 1, 7 * 60, 24 * 60 + 13, 2 * 24 * 60, 3 * 24 * 60 + 1]) {
              const midnight = Math.floor(start / DAY) * DAY;
              for (const from of [instant(midnight + since * MINUTE), later(start, since * MINUTE)]) {
                expect(await of('PRODUCT', from)).toEqual(expected([...orders.values()], from));
              }
            }
          }),
          { numRuns: 6, endOnFailure: true },
        );
        expect(await summed()).toBeGreaterThan(0);
      });
    });

    it('adds up over two instances that count at once', async () => {
      const { store, now } = world();
      const other = (await world().another()).store;
      await Promise.all(
        Array.from({ length: 30 }, (_, id) =>
          (id % 2 === 0 ? store : other).orders.record(snapshot(id, { createdAt: now() }), now()),
        ),
      );
      expect(await of('PLATFORM')).toMatchObject([{ orders: 30 }]);
    });
  });
}
