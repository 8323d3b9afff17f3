import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Budget,
  type BudgetEntry,
  book,
  budgetEntryKinds,
  emptyBudget,
} from '../../../src/domain/budget/budget.ts';
import { rupiah } from '../../../src/domain/money.ts';
import { SECOND } from '../../../src/domain/time.ts';
import { told } from '../../conformance/support/supplier-values.ts';
import {
  alice,
  attemptId,
  bob,
  byAlice,
  draft,
  endedEvent,
  job,
  limit,
  made,
  ofAll,
  order,
  prepared,
  sms,
  smsEntry,
  smsEvent,
  snapshot,
} from '../../conformance/support/values.ts';
import { known } from '../../conformance/support/world.ts';
import { type Instance, openInstance } from './support/instances.ts';
import { type PostgresDatabase, usePostgres } from './support/postgres-database.ts';
import { findPostgres } from './support/services.ts';

const server = findPostgres();
const INSTANCES = 3;

/** Several instances at the same rows, on a real server: what they do together must be as if one did it after the other. */
describe.runIf(server !== null)('instances that race', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  let instances: readonly Instance[];
  beforeAll(async () => {
    database = await create();
    instances = await Promise.all(Array.from({ length: INSTANCES }, () => openInstance(database.url)));
  });
  beforeEach(() => database.empty());
  afterAll(async () => {
    for (const instance of instances) await instance.close();
    await database.drop();
  });

  const storeOf = (turn: number) => known(instances[turn % INSTANCES]).store;
  const range = (length: number) => Array.from({ length }, (_, index) => index);
  const count = async (sql: string) => (await database.query(sql)).length;

  async function replayed(caller: string): Promise<Budget> {
    const rows = await database.query(
      `select kind, amount from budget_entries where caller = '${caller}' order by id`,
    );
    const entries = rows.map((row): BudgetEntry => {
      const kind = known(budgetEntryKinds.find((one) => one === row['kind']));
      return { kind, amount: rupiah(Number(row['amount'])) };
    });
    return entries.reduce(book, emptyBudget);
  }

  it('prepare each job once, whoever asks', async () => {
    const asked = range(90).map((turn) =>
      storeOf(turn).attempts.prepare(
        draft(`${turn % 15}`, { id: attemptId(`attempt-${turn}`) }),
        `token-${turn}`,
        byAlice,
      ),
    );
    const results = await Promise.all(asked);
    expect(results.filter(({ kind }) => kind === 'fresh')).toHaveLength(15);
    expect(results.filter(({ kind }) => kind === 'known')).toHaveLength(75);
    expect(await count('select * from attempt_events')).toBe(30);
    expect(await storeOf(0).budgets.find(alice)).toMatchObject({ reserved: 75_000 });
  });

  it('give an idempotency key to one attempt, over all callers', async () => {
    const idempotencyKey = draft('same').idempotencyKey;
    const results = await Promise.all(
      range(12).map((turn) =>
        storeOf(turn).attempts.prepare(
          draft(`k-${turn}`, { caller: turn % 2 === 0 ? alice : bob, idempotencyKey }),
          't',
          byAlice,
        ),
      ),
    );
    expect(results.filter(({ kind }) => kind === 'fresh')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'key-taken')).toHaveLength(11);
  });

  it('never admit more than the limit', async () => {
    await limit(storeOf(0), alice, rupiah(52_000));
    const results = await Promise.all(
      range(60).map((turn) => storeOf(turn).attempts.prepare(draft(`b-${turn}`), 't', byAlice)),
    );
    expect(results.filter(({ kind }) => kind === 'fresh')).toHaveLength(10);
    const budget = await storeOf(1).budgets.find(alice);
    expect(budget).toEqual({ limit: 52_000, spent: 0, reserved: 50_000 });
    expect(await replayed('alice')).toEqual({ ...budget, limit: null });
  });

  it('take a due attempt once', async () => {
    for (const turn of range(8)) {
      await storeOf(0).attempts.settle(await prepared(storeOf(0), draft(`t-${turn}`)), {
        kind: 'transport',
      });
    }
    await database.query('update attempts set next_attempt_at = 0, due_at = 0');
    const takers = range(72).map((turn) =>
      storeOf(turn).attempts.take(attemptId(`attempt-t-${turn % 8}`), `taker-${turn}`),
    );
    const taken = await Promise.all(takers);
    expect(taken.filter(({ kind }) => kind === 'claimed')).toHaveLength(8);
    expect(await count('select * from attempts where sends = 2')).toBe(8);
    expect(await count('select * from attempts where sends > 2')).toBe(0);
  });

  it('settle a claim once, and adopt an order into one attempt', async () => {
    const claims = [];
    for (const turn of range(6)) claims.push(await prepared(storeOf(turn), draft(`s-${turn}`)));
    // Every one is settled by all, and all answers name the same order.
    const settling = claims.flatMap((claim) =>
      range(INSTANCES).map((turn) => storeOf(turn).attempts.settle(claim, made(snapshot(21)))),
    );
    const results = await Promise.all(settling);
    expect(results.filter(({ kind }) => kind === 'settled')).toHaveLength(6);
    expect(await count(`select * from attempts where state = 'RESOLVED'`)).toBe(1);
    expect(await count(`select * from attempts where state = 'NEEDS_RECONCILIATION'`)).toBe(5);
    expect(await count(`select * from budget_entries where kind = 'SPENT'`)).toBe(1);
    const budget = await storeOf(0).budgets.find(alice);
    expect(budget).toMatchObject({ spent: 4_000, reserved: 25_000 });
    expect(await replayed('alice')).toEqual(budget);
  });

  it('join what webhooks, answers and reads tell of the same orders, whatever comes first', async () => {
    const ids = range(12);
    const claims = await Promise.all(ids.map((id) => prepared(storeOf(id), draft(`j-${id}`))));
    await Promise.all(
      ids.flatMap((id) =>
        [0, 1, 2].map((revision) => storeOf(id + revision).inbox.insert(smsEntry(id, revision))),
      ),
    );
    const readAt = await storeOf(0).now();
    const working = range(INSTANCES).map(async (turn) => {
      const { inbox } = storeOf(turn);
      for (;;) {
        const records = await inbox.pending(7);
        if (records.length === 0 && (await inbox.stats()).pending === 0) return;
        await inbox.apply(
          records.map((record) => {
            const body: unknown = JSON.parse(Buffer.from(record.body).toString());
            const revision = Number(Object.entries(body ?? {}).find(([key]) => key === 'sms_revision')?.[1]);
            return { record, event: smsEvent(known(record.orderId), revision) };
          }),
        );
      }
    });
    const answering = claims.map((claim, id) => storeOf(id + 1).attempts.settle(claim, made(snapshot(id))));
    const reading = ids.map((id) => storeOf(id + 2).orders.record(snapshot(id), readAt));
    await Promise.all([...working, ...answering, ...reading]);
    for (const id of ids) {
      const messages = await storeOf(0).orders.messages(ofAll, order(id), -1, 9);
      expect(messages.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    }
    expect(await count('select * from orders where owner is null')).toBe(0);
    const numbers = (await database.query('select sequence from sms_revisions order by sequence')).map(
      (row) => Number(row['sequence']),
    );
    expect(new Set(numbers).size).toBe(36);
    expect(await storeOf(0).budgets.find(alice)).toMatchObject({ spent: 48_000, reserved: 0 });
  });

  it('give an order’s money back once, by receipt, webhook and reads at once', async () => {
    for (const id of range(6)) {
      const claim = await prepared(storeOf(id), draft(`r-${id}`));
      await storeOf(id).attempts.settle(claim, made(snapshot(id)));
      await storeOf(id).actions.begin(order(id), 'CANCEL', `token-${id}`, 60 * SECOND, byAlice);
      const entry = { ...smsEntry(id, 0), dedupeKey: `canceled-${id}`, revision: null };
      await storeOf(id).inbox.insert(entry);
    }
    const records = await storeOf(0).inbox.pending(99);
    const readAt = await storeOf(0).now();
    const refund = { refundAmount: rupiah(4_000), newBalance: rupiah(0) };
    await Promise.all([
      storeOf(0).inbox.apply(
        records.map((record) => ({ record, event: endedEvent(known(record.orderId), 'CANCELED') })),
      ),
      ...range(6).flatMap((id) => [
        storeOf(id + 1).orders.record(snapshot(id, { status: 'CANCELED' }), readAt),
        storeOf(id + 2).actions.end(order(id), 'CANCEL', `token-${id}`, {
          kind: 'receipt',
          refund,
          resend: null,
        }),
      ]),
    ]);
    const budget = await storeOf(0).budgets.find(alice);
    expect(budget).toMatchObject({ spent: 0, reserved: 0 });
    expect(await replayed('alice')).toEqual(budget);
  });

  it('begin an action once', async () => {
    const claims = await Promise.all(
      range(60).map((turn) =>
        storeOf(turn).actions.begin(order(turn % 5), 'RESEND', `token-${turn}`, 60 * SECOND, byAlice),
      ),
    );
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(5);
  });

  it('claim each found order once, beside the pulls that name it', async () => {
    const names = range(20).map((index) => `SO-${index}`);
    await Promise.all(
      range(INSTANCES).map((turn) => storeOf(turn).supplier.beginPull({ id: `p-${turn}` }, 1, null)),
    );
    const claiming = range(9).map(async (turn) => {
      const { supplier } = storeOf(turn);
      const snapshots = (turn % 2 === 0 ? names : names.toReversed()).map((name) => told(name));
      if (turn < INSTANCES) return supplier.endPull({ id: `p-${turn}` }, alice, snapshots);
      return (await supplier.adoptFound(snapshots, await storeOf(turn).now())).adopted;
    });
    const claimed = (await Promise.all(claiming)).flat();
    expect(claimed.map(({ id }) => String(id)).sort()).toEqual([...names].sort());
    const numbers = new Set(claimed.map(({ claimSequence }) => claimSequence));
    expect(numbers.size).toBe(20);
  });

  it('share the places at the supplier', async () => {
    const wish = { places: 2, isUpdate: false, spacingMs: 0, leaseMs: 20 * SECOND };
    let held = 0;
    let most = 0;
    await Promise.all(
      range(15).map(async (turn) => {
        const { supplierSlots } = storeOf(turn);
        while ((await supplierSlots.take(`slot-${turn}`, wish)).kind === 'wait');
        held += 1;
        most = Math.max(most, held);
        await new Promise((resolve) => setImmediate(resolve));
        held -= 1;
        await supplierSlots.giveBack(`slot-${turn}`);
      }),
    );
    expect(most).toBeLessThanOrEqual(2);
    expect(await count('select * from supplier_slots')).toBe(0);
  });

  it('keep totals and statistics in step with the rows', async () => {
    const readAt = await storeOf(0).now();
    await Promise.all(
      range(40).map((id) => storeOf(id).orders.record(snapshot(id, id % 2 === 0 ? sms(0) : {}), readAt)),
    );
    await Promise.all(
      range(40).map((id) => storeOf(id + 1).orders.record(snapshot(id, { status: 'COMPLETED' }), readAt)),
    );
    const every = {
      statuses: null,
      businessJobId: null,
      phoneNumber: null,
      createdFrom: null,
      createdTo: null,
    };
    const page = await storeOf(0).orders.page(ofAll, every, { first: 1, after: null });
    expect(page.total).toBe(40);
    const wish = { ...every, statuses: ['COMPLETED'] as const };
    expect((await storeOf(0).orders.page(ofAll, wish, { first: 1, after: null })).total).toBe(
      await count(`select * from orders where status = 'COMPLETED'`),
    );
    const [sum] = await database.query(
      'select sum(orders)::bigint as orders, sum(received)::bigint as received from order_counts',
    );
    expect(sum).toEqual({ orders: 40, received: 20 });
  });

  it('know every job afterwards', async () => {
    await Promise.all(
      range(20).map((turn) => storeOf(turn).attempts.prepare(draft(`z-${turn}`), 't', byAlice)),
    );
    for (const turn of range(20)) {
      expect(await storeOf(turn + 1).attempts.find(alice, job(`job-z-${turn}`))).not.toBeNull();
    }
  });
});
