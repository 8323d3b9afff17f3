import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/audit.ts';
import { parseDeliveryId, parseKeyId, parseSupplierOrderId } from '../../src/domain/ids.ts';
import type { DeliveryReply } from '../../src/domain/supplier/delivery.ts';
import type { SupplierOrderSnapshot } from '../../src/domain/supplier/order.ts';
import { later, SECOND } from '../../src/domain/time.ts';
import type { KeyStore } from '../../src/ports/store/keys.ts';
import type { CreateDatabase } from './support/database.ts';
import {
  alice,
  bob,
  bought,
  byAlice,
  byShell,
  draft,
  job,
  order,
  prepared,
  reactivation,
  snapshot,
} from './support/values.ts';
import { known, useWorld } from './support/world.ts';

const byBob: Actor = { ...byAlice, caller: bob, keyId: null, requestId: 'request-2' };
const delivery = known(parseDeliveryId('delivery-1'));
const supplierOrder = known(parseSupplierOrderId('order-1'));
const keyId = known(parseKeyId('key-a'));
const key: Parameters<KeyStore['create']>[0] = {
  id: keyId,
  hash: 'hash',
  caller: alice,
  scopes: ['BUYER'],
  expiresAt: null,
  budgetLimit: null,
};
const accepted: DeliveryReply = { kind: 'accepted' };

function aSupplierOrder(): SupplierOrderSnapshot {
  return {
    id: supplierOrder,
    quantity: 2,
    status: 'PROCESSING',
    paymentStatus: null,
    productType: null,
    entityType: null,
    subCategory: null,
    deliveredCount: null,
    lastProcessTime: null,
    externalId: null,
    externalPrice: null,
    createdAt: null,
  };
}

export function describeAudit(create: CreateDatabase): void {
  describe('audit', () => {
    const world = useWorld(create);
    const told = async (caller: typeof alice | null = null) =>
      (await world().store.audit.entries(caller, null, 100)).map(({ by, act, subject }) => [
        by.kind === 'caller' ? by.caller : by.kind,
        act,
        subject,
      ]);

    it('tells who ordered, by which key and in which request', async () => {
      const { store, clock } = world();
      await store.attempts.prepare(draft('a'), 't', byAlice);
      expect(await store.audit.entries(null, null, 9)).toEqual([
        {
          sequence: expect.any(Number),
          at: clock.now(),
          by: byAlice,
          act: 'CREATE_ORDER',
          subject: 'attempt-a',
        },
      ]);
      await store.attempts.prepare(reactivation('b', order(21)), 't', byBob);
      expect((await told())[0]).toEqual(['bob', 'REACTIVATE_ORDER', 'attempt-b']);
    });

    it('holds no entry of what did not happen', async () => {
      const { store } = world();
      await store.attempts.prepare(draft('a'), 't', byAlice);
      await store.attempts.prepare(draft('a'), 't', byAlice);
      await store.attempts.prepare(draft('b', { idempotencyKey: draft('a').idempotencyKey }), 't', byAlice);
      await store.actions.begin(order(21), 'CANCEL', 'a', SECOND, byAlice);
      await store.actions.begin(order(21), 'CANCEL', 'b', SECOND, byBob);
      await store.attempts.close(alice, job('job-a'), { orderIds: [], note: 'x' }, byBob);
      await store.keys.revoke(known(parseKeyId('nobody')), byShell);
      await store.supplier.setLease(supplierOrder, null, false, byAlice);
      expect(await told()).toEqual([
        ['alice', 'CANCEL_ORDER', '21'],
        ['alice', 'CREATE_ORDER', 'attempt-a'],
      ]);
    });

    it('holds every kind of act, each of its subject', async () => {
      const { store, clock } = world();
      await store.keys.create(key, byShell);
      await store.keys.revoke(keyId, byShell);
      await store.keys.revoke(keyId, byShell);
      await bought(store, draft('a'), snapshot(21));
      await store.actions.begin(order(21), 'FINISH', 'a', SECOND, byAlice);
      await store.actions.begin(order(21), 'RESEND', 'a', SECOND, byAlice);
      await store.attempts.prepare(draft('b', { reviewThresholdAt: clock.now() }), 't', byAlice);
      await store.attempts.close(alice, job('job-b'), { orderIds: [], note: 'x' }, byBob);
      await store.supplier.beginPull({ id: 'pull-1' }, SECOND, byAlice);
      await store.supplier.endPull({ id: 'pull-1' }, alice, [aSupplierOrder()]);
      await store.supplier.setLease(supplierOrder, clock.now(), true, byAlice);
      await store.supplier.setLease(supplierOrder, null, false, byBob);
      const wish = {
        id: delivery,
        orderId: supplierOrder,
        caller: alice,
        endpoint: '/orders-update',
        body: '{"accounts":["a"]}',
        lines: 1,
        status: 'PARTIAL',
        externalId: null,
        externalPrice: null,
      } as const;
      const { version } = await store.supplier.deliveredLines(supplierOrder);
      await store.supplier.prepareDelivery(wish, version, 't', byBob);
      await store.supplier.settleDelivery(delivery, 't', accepted);
      await store.notebook.write('webhook-url', 'https://gateway.example/webhooks/smscode', byBob);
      expect(await told()).toEqual([
        ['bob', 'CONNECT_WEBHOOK', 'https://gateway.example/webhooks/smscode'],
        ['bob', 'DELIVER_SUPPLIER_ORDER', 'delivery-1'],
        ['bob', 'RELEASE_SUPPLIER_ORDER', 'order-1'],
        ['alice', 'LEASE_SUPPLIER_ORDER', 'order-1'],
        ['alice', 'PULL_SUPPLIER_ORDERS', 'pull-1'],
        ['bob', 'CLOSE_ATTEMPT', 'attempt-b'],
        ['alice', 'CREATE_ORDER', 'attempt-b'],
        ['alice', 'RESEND_SMS', '21'],
        ['alice', 'FINISH_ORDER', '21'],
        ['alice', 'CREATE_ORDER', 'attempt-a'],
        ['shell', 'REVOKE_KEY', 'key-a'],
        ['shell', 'CREATE_KEY', 'key-a'],
      ]);
    });

    it('holds nothing of what the gateway does by itself', async () => {
      const { store, clock } = world();
      await store.supplier.beginPull({ id: 'pull-1' }, SECOND, null);
      await store.supplier.endPull({ id: 'pull-1' }, null, [aSupplierOrder()]);
      await store.supplier.setLease(supplierOrder, clock.now(), true, null);
      await prepared(store, draft('a'));
      clock.pass(60 * SECOND);
      await store.attempts.take(draft('a').id, 'other');
      expect(await told()).toEqual([['alice', 'CREATE_ORDER', 'attempt-a']]);
    });

    it('is read newest first, in pages, of all or of one caller', async () => {
      const { store } = world();
      for (const name of ['a', 'b', 'c']) await store.attempts.prepare(draft(name), 't', byAlice);
      await store.attempts.prepare(draft('d', { caller: bob }), 't', byBob);
      const first = await store.audit.entries(null, null, 2);
      expect(first.map(({ subject }) => subject)).toEqual(['attempt-d', 'attempt-c']);
      const rest = await store.audit.entries(null, known(first.at(-1)).sequence, 9);
      expect(rest.map(({ subject }) => subject)).toEqual(['attempt-b', 'attempt-a']);
      expect(await told(bob)).toEqual([['bob', 'CREATE_ORDER', 'attempt-d']]);
      expect(await told(alice)).toHaveLength(3);
    });

    it('tells the time of the act', async () => {
      const { store, clock } = world();
      const before = clock.now();
      clock.pass(SECOND);
      await store.keys.create(key, byShell);
      expect((await store.audit.entries(null, null, 1))[0]?.at).toBe(later(before, SECOND));
    });

    it('tells of an act that only a newer program has a word for', async () => {
      const { store, database } = world();
      await store.attempts.prepare(draft('a'), 't', byAlice);
      await database.query(
        `insert into audit (at, actor, act, subject) values (0, 'shell', 'SOMETHING_NEW', 'x')`,
      );
      expect(await told()).toEqual([
        ['shell', 'UNKNOWN', 'x'],
        ['alice', 'CREATE_ORDER', 'attempt-a'],
      ]);
    });

    it('cannot be changed or erased, whoever is at the database', async () => {
      const { store, database } = world();
      await store.attempts.prepare(draft('a'), 't', byAlice);
      await expect(database.query(`update audit set caller = 'bob'`)).rejects.toThrow(/only added to/);
      await expect(database.query('delete from audit')).rejects.toThrow(/only added to/);
      expect(await told()).toHaveLength(1);
    });
  });
}
