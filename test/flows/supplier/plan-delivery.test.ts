import { expect, test } from 'vitest';
import { deliverOrder } from '../../../src/flows/supplier/deliver-order.ts';
import { planFor } from '../../../src/flows/supplier/plan-delivery.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import { told } from '../../conformance/support/supplier-values.ts';
import { type AnyStore, openScripted } from '../../support/gateway.ts';
import { byAlice, start, supplierOrderId } from '../../support/values.ts';

const id = supplierOrderId('SO');
const never = () => Promise.reject(new Error('the test did not expect this call'));
const accepting: SupplierApi = {
  pull: never,
  orders: never,
  setLastProcessTime: never,
  sendDelivery: async () => ({ kind: 'accepted' }),
};

// Found by the simulator: the count was read before the lines, and between the two another worker's delivery settled. The
// plan then had the lines of after and the room of before, and what it promised was cut off upstream.
test('a plan stands on lines and count of one moment', async () => {
  const { deps, store } = await openScripted({}, { supplier: accepting, spoil: withOldOrders });
  await store.supplier.record([told('SO', { quantity: 2 })], start);
  const old = await store.supplier.find(id);
  const wish = { by: byAlice, orderId: id, status: null, externalId: null, externalPrice: null } as const;
  await deliverOrder(deps, { ...wish, lines: ['a'], overflow: 'REFUSE' });

  expect(await store.supplier.find(id)).toEqual(old);
  expect((await planFor(deps, id, ['b', 'c']))?.plan).toMatchObject({ fresh: ['b'], overflow: ['c'] });
});

/** Tells of an order what it told the first time. */
function withOldOrders(store: AnyStore): AnyStore {
  let first: ReturnType<AnyStore['supplier']['find']> | null = null;
  return {
    ...store,
    supplier: {
      ...store.supplier,
      find(order) {
        first ??= store.supplier.find(order);
        return first;
      },
    },
  };
}
