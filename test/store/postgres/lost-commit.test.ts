import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseKeyId } from '../../../src/domain/ids.ts';
import { instant, SECOND } from '../../../src/domain/time.ts';
import { begun, delivery, deliveryId, told } from '../../conformance/support/supplier-values.ts';
import {
  alice,
  attemptId,
  byAlice,
  draft,
  job,
  made,
  ofAlice,
  order,
  prepared,
  smsEntry,
  smsEvent,
  snapshot,
} from '../../conformance/support/values.ts';
import { known } from '../../conformance/support/world.ts';
import { type Cut, type CuttingProxy, cuttingProxy } from './support/cutting-proxy.ts';
import { type Instance, openInstance } from './support/instances.ts';
import { type PostgresDatabase, usePostgres } from './support/postgres-database.ts';
import { findPostgres } from './support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('a connection that is lost in COMMIT', () => {
  const create = usePostgres(server ?? '');
  let database: PostgresDatabase;
  let proxy: CuttingProxy;
  let instance: Instance;
  beforeEach(async () => {
    database = await create();
    proxy = await cuttingProxy(database.url);
    instance = await openInstance(proxy.url);
  });
  afterEach(async () => {
    await instance.close();
    await proxy.close();
    await database.drop();
  });
  const count = async (table: string) => (await database.query(`select * from ${table}`)).length;

  describe.each<Cut>(['before', 'after'])('%s the server has committed', (cut) => {
    /** Does something in whose COMMIT the connection ends. */
    async function cutIn<Result>(work: () => Promise<Result>): Promise<Result> {
      const before = proxy.cuts();
      proxy.cutNextCommit(cut);
      const result = await work();
      expect(proxy.cuts()).toBe(before + 1);
      return result;
    }

    it('prepares an attempt once, and leaves it to the asker who prepared it', async () => {
      const { store, wake } = instance;
      wake.take();
      const result = await cutIn(() => store.attempts.prepare(draft('a'), 'token', byAlice));
      expect(result).toMatchObject({ kind: 'fresh', claim: { token: 'token', version: 2 } });
      expect(await store.budgets.find(alice)).toMatchObject({ reserved: 5_000 });
      expect(await count('attempts')).toBe(1);
      expect(await count('audit')).toBe(1);
      expect(wake.take()).toEqual(['attempt:attempt-a', 'attempts-due']);
    });

    it('takes an attempt for its asker', async () => {
      const { store } = instance;
      await store.attempts.settle(await prepared(store, draft('a')), { kind: 'transport' });
      await database.query('update attempts set next_attempt_at = 0, due_at = 0');
      const taken = await cutIn(() => store.attempts.take(attemptId('attempt-a'), 'second'));
      expect(taken).toMatchObject({ kind: 'claimed', claim: { token: 'second', version: 4 } });
      expect(await count('attempt_events')).toBe(4);
    });

    it('settles an answer once, and tells what it came to', async () => {
      const { store } = instance;
      const claim = await prepared(store, draft('a'));
      const settled = await cutIn(() => store.attempts.settle(claim, made(snapshot(21))));
      expect(settled).toMatchObject({
        kind: 'settled',
        attempt: { state: 'RESOLVED' },
        orders: [{ id: 21, owner: alice }],
      });
      expect(await store.budgets.find(alice)).toMatchObject({ spent: 4_000, reserved: 0 });
      expect(await count('attempt_evidence')).toBe(0);
    });

    it('closes a review once', async () => {
      const { store } = instance;
      await store.attempts.prepare(draft('a', { reviewThresholdAt: instant(0) }), 't', byAlice);
      const closing = { orderIds: [], note: 'nothing there' };
      const closed = await cutIn(() => store.attempts.close(alice, job('job-a'), closing, byAlice));
      expect(closed).toMatchObject({ kind: 'closed', attempt: { state: 'CLOSED' } });
      expect(await count('attempt_events')).toBe(3);
    });

    it('stores a webhook once, and wakes its worker', async () => {
      const { store, wake } = instance;
      wake.take();
      await cutIn(() => store.inbox.insert(smsEntry(21, 0)));
      expect(await store.inbox.pending(9)).toHaveLength(1);
      expect(wake.take()).toEqual(['inbox']);
      expect(await store.inbox.insert(smsEntry(21, 0))).toBe('duplicate');
    });

    it('applies a webhook once', async () => {
      const { store } = instance;
      await store.orders.record(snapshot(21), await store.now());
      await store.inbox.insert(smsEntry(21, 0));
      const record = known((await store.inbox.pending(1))[0]);
      await cutIn(() => store.inbox.apply([{ record, event: smsEvent(21, 0) }]));
      expect(await store.inbox.pending(9)).toEqual([]);
      expect(await store.orders.messagesAfter({ kind: 'all' }, 0, 9)).toMatchObject([
        { orderId: 21, revision: 0 },
      ]);
    });

    it('claims an order’s action for its asker', async () => {
      const { actions } = instance.store;
      const claim = await cutIn(() => actions.begin(order(21), 'CANCEL', 'a', 60 * SECOND, byAlice));
      expect(claim).toEqual({ kind: 'claimed', token: 'a' });
      expect(await count('audit')).toBe(1);
      expect((await actions.begin(order(21), 'CANCEL', 'b', 60 * SECOND, byAlice)).kind).toBe('running');
    });

    it('makes a key once', async () => {
      const key = {
        id: known(parseKeyId('key')),
        hash: 'hash',
        caller: alice,
        scopes: ['BUYER'] as const,
        expiresAt: null,
        budgetLimit: null,
      };
      await cutIn(() => instance.store.keys.create(key, byAlice));
      expect(await instance.store.keys.list()).toHaveLength(1);
    });

    it('tells a pull what it has claimed', async () => {
      const { supplier } = instance.store;
      await supplier.beginPull({ id: 'p' }, 30 * SECOND, byAlice);
      const claimed = await cutIn(() => supplier.endPull({ id: 'p' }, alice, [told('a'), told('b')]));
      expect(claimed.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await supplier.lastClaimSequence()).toBe(2);
    });

    it('prepares and takes a delivery for its asker', async () => {
      const { supplier } = instance.store;
      await supplier.record([told('SO')], await instance.store.now());
      const first = await cutIn(() => begun(supplier, delivery('d', 'SO')));
      expect(first).toMatchObject({ state: 'PENDING', attempts: 1 });
      await database.query('update supplier_deliveries set lease_until = 0, due_at = 0');
      const taken = await cutIn(() => supplier.takeDelivery(deliveryId('d'), 'second'));
      expect(taken).toMatchObject({ kind: 'claimed', delivery: { attempts: 2 } });
      await cutIn(() => supplier.settleDelivery(deliveryId('d'), 'second', { kind: 'accepted' }));
      expect(await supplier.find(told('SO').id)).toMatchObject({ deliveredCount: 2 });
    });

    it('raises an alert once, and grants a place once', async () => {
      const { alerts, supplierSlots } = instance.store;
      const alert = { kind: 'LOW_BALANCE', subject: '', message: 'low' } as const;
      expect(await cutIn(() => alerts.raise(alert))).toBe(true);
      expect(await count('alerts')).toBe(1);
      const wish = { places: 1, isUpdate: true, spacingMs: 10_000, leaseMs: 10_000 };
      expect(await cutIn(() => supplierSlots.take('t', wish))).toEqual({ kind: 'granted' });
    });

    it('keeps a read order once, with its money', async () => {
      const { store } = instance;
      await store.attempts.settle(await prepared(store, draft('a')), made(snapshot(21)));
      const readAt = await store.now();
      await cutIn(() => store.orders.record(snapshot(21, { status: 'CANCELED' }), readAt));
      expect(await store.orders.find(ofAlice, order(21))).toMatchObject({ status: 'CANCELED', version: 2 });
      expect(await store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 0 });
    });
  });
});
