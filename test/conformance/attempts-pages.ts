import { describe, expect, it } from 'vitest';
import type { Visibility } from '../../src/domain/access.ts';
import type { AttemptState } from '../../src/domain/orders/attempt.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { AttemptPosition } from '../../src/ports/store/attempts.ts';
import type { CreateDatabase } from './support/database.ts';
import { bob, draft, made, ofAlice, ofAll, ofBob, prepared, snapshot } from './support/values.ts';
import { useWorld } from './support/world.ts';

export function describeAttemptPages(create: CreateDatabase): void {
  describe('attempts: pages', () => {
    const world = useWorld(create);

    /** Seven attempts, two begun in each second: a, c, e, g of alice and b, d, f of bob; a and b resolved, c unclear. */
    async function seven(): Promise<void> {
      const { store, clock } = world();
      for (const [index, name] of [...'abcdefg'].entries()) {
        const claim = await prepared(store, draft(name, index % 2 === 0 ? {} : { caller: bob }));
        if (index < 2) await store.attempts.settle(claim, made(snapshot(index)));
        if (index === 2) await store.attempts.settle(claim, { kind: 'transport' });
        if (index % 2 === 1) clock.pass(SECOND);
      }
    }

    async function names(scope: Visibility, states: readonly AttemptState[] | null = null, first = 100) {
      const page = await world().store.attempts.page(scope, states, { first, after: null });
      return page.items.map(({ node }) => node.id.replace('attempt-', '')).join('');
    }

    it('lists newest first, and those begun at one time by id', async () => {
      await seven();
      expect(await names(ofAll)).toBe('gfedcba');
      expect(await names(ofAlice)).toBe('geca');
      expect(await names(ofBob)).toBe('fdb');
    });

    it('lists those in the states asked for', async () => {
      await seven();
      expect(await names(ofAll, ['RESOLVED'])).toBe('ba');
      expect(await names(ofAll, ['NEEDS_RECONCILIATION', 'RESOLVED', 'RESOLVED'])).toBe('cba');
      expect(await names(ofAlice, ['SENDING', 'RESOLVED'])).toBe('gea');
      expect(await names(ofAll, ['CLOSED'])).toBe('');
      expect(await names(ofAll, [])).toBe('');
    });

    it.each<[Visibility, readonly AttemptState[] | null, string]>([
      [ofAll, null, 'gfedcba'],
      [ofAlice, null, 'geca'],
      [ofAll, ['SENDING', 'RESOLVED'], 'gfedba'],
      [ofBob, ['RESOLVED', 'SENDING'], 'fdb'],
    ])('goes through all pages, none twice and none left out: %j %j', async (scope, states, all) => {
      await seven();
      for (const first of [1, 2, 3, 7]) {
        let after: AttemptPosition | null = null;
        let seen = '';
        let hasNext = true;
        while (hasNext) {
          const page = await world().store.attempts.page(scope, states, { first, after });
          expect(page.total).toBe(all.length);
          expect(page.items.length).toBeLessThanOrEqual(first);
          for (const { node, position } of page.items) {
            expect(position).toEqual({ startedAt: node.startedAt, id: node.id });
            seen += node.id.replace('attempt-', '');
            after = position;
          }
          hasNext = page.hasNext;
        }
        expect(seen).toBe(all);
      }
    });

    it('is empty where there is nothing', async () => {
      const page = await world().store.attempts.page(ofAll, null, { first: 5, after: null });
      expect(page).toEqual({ items: [], hasNext: false, total: 0 });
    });
  });
}
