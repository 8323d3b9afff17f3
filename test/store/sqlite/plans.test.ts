import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Visibility } from '../../../src/domain/access.ts';
import { instant } from '../../../src/domain/time.ts';
import type { OrderQuery } from '../../../src/ports/store/orders.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { anyOrder, job, ofAlice, ofAll, order } from '../../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { type SqliteDatabase, sqliteDatabase } from './support/sqlite-database.ts';

/** Tables that grow without end. */
const large = [
  'attempts',
  'attempt_events',
  'budget_entries',
  'orders',
  'order_changes',
  'sms_revisions',
  'inbox',
];

/**
 * The planner knows nothing of how many rows a table has: what it will do with a million of them, it does here with
 * none. Written after it had gone through all of an owner's orders to find one by its number.
 */
describe('plans of queries', () => {
  let files: SqliteDatabase;
  let store: Store;
  let prepared: string[];

  beforeEach(async () => {
    files = await sqliteDatabase();
    prepared = [];
    const { prepare } = Database.prototype;
    vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
      this: Database.Database,
      sql: string,
    ) {
      prepared.push(sql);
      return prepare.call(this, sql);
    });
    store = await files.open({ clock: fakeClock(), random: countingRandom(), wake: fakeWake() });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await files.drop();
  });

  function planOf(sql: string): string[] {
    const database = new Database(files.file, { readonly: true });
    const steps = database
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(...Array.from(sql.matchAll(/\?/g), () => null));
    database.close();
    return steps.map(({ detail }) => detail);
  }

  async function plansOf(ask: () => Promise<unknown>): Promise<string[]> {
    prepared.length = 0;
    await ask();
    return prepared.flatMap(planOf);
  }

  it('go through no large table from end to end', () => {
    const questions = prepared.filter((sql) => /^\s*(select|update|delete)/i.test(sql) && !sql.includes('@'));
    expect(questions.length).toBeGreaterThan(30);
    for (const sql of questions) {
      for (const step of planOf(sql)) {
        const scanned = /^SCAN (\w+)/.exec(step)?.[1] ?? '';
        if (large.includes(scanned)) expect(step, sql).toMatch(/ USING (COVERING )?INDEX /);
      }
    }
  });

  const some: Partial<OrderQuery> = { createdFrom: instant(1), createdTo: instant(2) };
  const after = { createdAt: instant(5), id: order(5) };
  it.each<[Visibility, Partial<OrderQuery>, string]>([
    [ofAll, {}, 'orders_by_creation'],
    [ofAll, some, 'orders_by_creation'],
    [ofAll, { statuses: ['ACTIVE', 'EXPIRED'] }, 'orders_by_status'],
    [ofAll, { statuses: ['ACTIVE'], ...some }, 'orders_by_status'],
    [ofAlice, {}, 'orders_of_owner'],
    [ofAlice, some, 'orders_of_owner'],
    [ofAlice, { statuses: ['ACTIVE', 'EXPIRED'] }, 'orders_of_owner_by_status'],
    [ofAll, { phoneNumber: '62' }, 'orders_by_phone'],
    [ofAlice, { phoneNumber: '62', statuses: ['ACTIVE', 'EXPIRED'], ...some }, 'orders_by_phone'],
    [ofAll, { businessJobId: job('a') }, 'orders_of_attempt'],
    [ofAlice, { businessJobId: job('a'), statuses: ['ACTIVE'], ...some }, 'orders_of_attempt'],
  ])('go down the index that fits a page of orders: %j %j', async (scope, query, index) => {
    for (const position of [null, after]) {
      const plans = await plansOf(() =>
        store.orders.page(scope, { ...anyOrder, ...query }, { first: 10, after: position }),
      );
      const onOrders = plans.filter((step) => / orders /.test(step));
      expect(onOrders.length).toBeGreaterThan(0);
      for (const step of onOrders) expect(step).toMatch(new RegExp(` INDEX ${index}( |$)`));
      const isNarrow = query.phoneNumber !== undefined || query.businessJobId !== undefined;
      if (!isNarrow) expect(plans.join('\n')).not.toContain('TEMP B-TREE');
    }
  });

  it.each<[Visibility, readonly ['SENDING'] | null, string]>([
    [ofAll, null, 'attempts_by_start'],
    [ofAll, ['SENDING'], 'attempts_by_state'],
    [ofAlice, null, 'attempts_of_caller'],
    [ofAlice, ['SENDING'], 'attempts_of_caller_by_state'],
  ])('go down the index that fits a page of attempts: %j %j', async (scope, states, index) => {
    const plans = await plansOf(() => store.attempts.page(scope, states, { first: 10, after: null }));
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(new RegExp(` INDEX ${index}( |$)`));
  });
});
