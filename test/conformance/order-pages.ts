import { describe, expect, it } from 'vitest';
import type { Visibility } from '../../src/domain/access.ts';
import { instant, later, SECOND } from '../../src/domain/time.ts';
import type { OrderPosition, OrderQuery } from '../../src/ports/store/orders.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  anyOrder,
  bob,
  bought,
  draft,
  job,
  ofAlice,
  ofAll,
  ofBob,
  receive,
  smsEvent,
  snapshot,
} from './support/values.ts';
import { at, useWorld } from './support/world.ts';

const start = at('2026-09-01T00:00:00Z');
/** The second of the order's number. */
const second = (n: number) => later(start, n * SECOND);

export function describeOrderPages(create: CreateDatabase): void {
  describe('orders: pages', () => {
    const world = useWorld(create);

    /**
     * Orders 1 to 8: 1, 2, 3 of alice's job-a, 4, 5 of bob's job of the same name, 6 of alice's job-c, 7 made elsewhere,
     * 8 incomplete. Each was created in the second of its number, but 2, which was with 3.
     */
    async function eight(): Promise<void> {
      const { store } = world();
      const one = (id: number, but = {}) => snapshot(id, { createdAt: second(id), ...but });
      await bought(
        store,
        draft('a'),
        one(1, { status: 'EXPIRED' }),
        one(2, { createdAt: second(3) }),
        one(3, { status: 'COMPLETED', phoneNumber: 'x\0y' }),
      );
      await bought(store, draft('b', { caller: bob, businessJobId: job('job-a') }), one(4), one(5));
      await bought(store, draft('c'), one(6, { phoneNumber: 'x\0y' }));
      await store.orders.record(one(7), world().now());
      await receive(store, 8, smsEvent(8, 0));
    }

    async function ids(scope: Visibility, query: Partial<OrderQuery> = {}) {
      const wish = { ...anyOrder, ...query };
      const page = await world().store.orders.page(scope, wish, { first: 100, after: null });
      expect(page.total).toBe(page.items.length);
      expect(page.hasNext).toBe(false);
      return page.items.map(({ node }) => node.id).join('');
    }

    it('lists newest first, by creation and then by id, and no incomplete one', async () => {
      await eight();
      expect(await ids(ofAll)).toBe('7654321');
      expect(await ids(ofAlice)).toBe('6321');
      expect(await ids(ofBob)).toBe('54');
    });

    it('filters by status', async () => {
      await eight();
      expect(await ids(ofAll, { statuses: ['ACTIVE'] })).toBe('76542');
      expect(await ids(ofAlice, { statuses: ['COMPLETED', 'EXPIRED', 'EXPIRED'] })).toBe('31');
      expect(await ids(ofAlice, { statuses: ['ACTIVE', 'COMPLETED'] })).toBe('632');
      expect(await ids(ofAll, { statuses: ['CANCELED'] })).toBe('');
      expect(await ids(ofAll, { statuses: [] })).toBe('');
    });

    it('filters by job, within what may be seen', async () => {
      await eight();
      expect(await ids(ofAlice, { businessJobId: job('job-a') })).toBe('321');
      expect(await ids(ofBob, { businessJobId: job('job-a') })).toBe('54');
      expect(await ids(ofAll, { businessJobId: job('job-a') })).toBe('54321');
      expect(await ids(ofAll, { businessJobId: job('job-a'), statuses: ['ACTIVE'] })).toBe('542');
      expect(await ids(ofBob, { businessJobId: job('job-c') })).toBe('');
    });

    it('filters by the exact phone number', async () => {
      await eight();
      expect(await ids(ofAlice, { phoneNumber: 'x\0y' })).toBe('63');
      expect(await ids(ofAlice, { phoneNumber: 'x\0y', statuses: ['ACTIVE'] })).toBe('6');
      expect(await ids(ofBob, { phoneNumber: 'x\0y' })).toBe('');
      for (const near of ['x', 'x%', 'X\0Y', 'x\0y ', ''])
        expect(await ids(ofAll, { phoneNumber: near })).toBe('');
      expect(await ids(ofAll, { phoneNumber: `62812${7}` })).toBe('7');
    });

    it('filters by creation: from the first instant on, and before the second', async () => {
      await eight();
      expect(await ids(ofAll, { createdFrom: second(3), createdTo: second(6) })).toBe('5432');
      expect(await ids(ofAll, { createdFrom: instant(second(3) + 1) })).toBe('7654');
      expect(await ids(ofAlice, { createdTo: second(3) })).toBe('1');
      expect(await ids(ofAlice, { createdFrom: second(4), createdTo: second(4) })).toBe('');
    });

    it.each<[Visibility, Partial<OrderQuery>, string]>([
      [ofAll, {}, '7654321'],
      [ofAlice, {}, '6321'],
      [ofAll, { statuses: ['ACTIVE', 'EXPIRED', 'COMPLETED'] }, '7654321'],
      [ofAlice, { statuses: ['ACTIVE', 'EXPIRED'] }, '621'],
      [ofAll, { businessJobId: job('job-a'), statuses: ['ACTIVE', 'COMPLETED'] }, '5432'],
      [ofAll, { createdFrom: second(2), createdTo: second(7) }, '65432'],
    ])('goes through all pages, none twice and none left out: %j %j', async (scope, query, all) => {
      await eight();
      for (const first of [1, 2, 3, 100]) {
        let after: OrderPosition | null = null;
        let seen = '';
        for (let hasNext = true; hasNext; ) {
          const page = await world().store.orders.page(scope, { ...anyOrder, ...query }, { first, after });
          expect(page.total).toBe(all.length);
          expect(page.items.length).toBeLessThanOrEqual(first);
          for (const { node, position } of page.items) {
            expect(position).toEqual({ createdAt: node.createdAt, id: node.id });
            seen += node.id;
            after = position;
          }
          hasNext = page.hasNext;
        }
        expect(seen).toBe(all);
      }
    });
  });
}
