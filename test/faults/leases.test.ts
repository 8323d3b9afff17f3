import { describe, expect, test } from 'vitest';
import type { SupplierOrderSnapshot } from '../../src/domain/supplier/order.ts';
import { MINUTE } from '../../src/domain/time.ts';
import { leaseOrder, releaseOrder, renewLeases } from '../../src/flows/supplier/lease-order.ts';
import { pullOrders } from '../../src/flows/supplier/pull-orders.ts';
import { recoverClaims } from '../../src/flows/supplier/recover-claims.ts';
import type { SupplierApi } from '../../src/ports/supplier-api.ts';
import { every } from '../../src/workers/every.ts';
import { runWorker } from '../../src/workers/loop.ts';
import { openScripted } from '../support/gateway.ts';
import { byAlice, supplierOrderId } from '../support/values.ts';

const id = supplierOrderId('order-1');
const away = { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: null } as const;
const claimed: SupplierOrderSnapshot = {
  id,
  quantity: 3,
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

/** A gateway that has claimed one order; `patch` is what the API does with a lease. */
async function claiming(patch: SupplierApi['setLastProcessTime']) {
  const patches: number[] = [];
  const never = () => Promise.reject(new Error('the test did not expect this call'));
  const supplier: SupplierApi = {
    pull: async () => ({
      kind: 'read',
      value: { orders: [claimed], received: 1 },
      readAt: gateway.clock.now(),
    }),
    orders: async () => ({
      kind: 'read',
      value: { orders: [claimed], received: 1 },
      readAt: gateway.clock.now(),
    }),
    setLastProcessTime(order, at) {
      patches.push(gateway.clock.now());
      return patch(order, at);
    },
    sendDelivery: never,
  };
  const gateway = await openScripted({}, { supplier });
  await pullOrders(gateway.deps, byAlice, 10);
  return { ...gateway, patches };
}

describe('a lease', () => {
  test('that cannot be written is told, is nothing here, and gives the order to nobody else', async () => {
    const { deps, store } = await claiming(async () => away);
    expect(await leaseOrder(deps, id, null, byAlice)).toMatchObject({ kind: 'fault' });
    expect(await store.supplier.find(id)).toMatchObject({ claimedBy: 'alice', lastProcessTime: null });
    // Found in processing, it is not adopted: who works on it is decided by the claim that is written down here.
    await recoverClaims(deps);
    expect(await store.supplier.find(id)).toMatchObject({ claimedBy: 'alice', claimSequence: 1 });
    expect(await store.audit.entries(null, null, 9)).toMatchObject([{ act: 'PULL_SUPPLIER_ORDERS' }]);
  });

  test('is renewed when ten minutes are over, for as long as the work goes on', async () => {
    const { deps, clock, store, patches } = await claiming(async () => ({
      kind: 'read',
      value: null,
      readAt: clock.now(),
    }));
    const from = clock.now();
    await leaseOrder(deps, id, null, byAlice);
    const worker = runWorker(
      deps,
      every(clock, 'lease-renewal', MINUTE, () => renewLeases(deps)),
    );
    await clock.pass(61 * MINUTE);
    const minutes = patches.map((at) => Math.round((at - from) / MINUTE));
    expect(minutes).toHaveLength(6);
    minutes.reduce((before, at) => {
      expect(at - before).toBeGreaterThanOrEqual(10);
      // Twenty minutes before it would run out.
      expect(at - before).toBeLessThanOrEqual(12);
      return at;
    });
    expect(await store.supplier.find(id)).toMatchObject({ claimedBy: 'alice' });
    await releaseOrder(deps, id, byAlice);
    const before = patches.length;
    await clock.pass(30 * MINUTE);
    expect(patches).toHaveLength(before);
    await clock.until(worker.stop());
  });

  test('whose renewal fails is tried again a minute later', async () => {
    let fails = 3;
    const { deps, clock, patches } = await claiming(async () => {
      if (fails-- > 0 && patches.length > 1) return away;
      return { kind: 'read', value: null, readAt: clock.now() };
    });
    await leaseOrder(deps, id, null, byAlice);
    const worker = runWorker(
      deps,
      every(clock, 'lease-renewal', MINUTE, () => renewLeases(deps)),
    );
    await clock.pass(20 * MINUTE);
    expect(patches.length).toBeGreaterThanOrEqual(4);
    const [, first = 0, second = 0] = patches;
    expect(second - first).toBe(MINUTE);
    await clock.until(worker.stop());
  });
});
