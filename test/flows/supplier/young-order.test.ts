import { describe, expect, it } from 'vitest';
import type { DeliveryReply } from '../../../src/domain/supplier/delivery.ts';
import { deliverOrder } from '../../../src/flows/supplier/deliver-order.ts';
import { pullOrders } from '../../../src/flows/supplier/pull-orders.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import { deliverer } from '../../../src/workers/deliverer.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { supplierId, told } from '../../conformance/support/supplier-values.ts';
import { openGateway } from '../../support/gateway.ts';
import { scriptedNumbers } from '../../support/scripted-numbers.ts';
import { byAlice, start } from '../../support/values.ts';

const notFound: DeliveryReply = { kind: 'refused', code: 'ORDER_NOT_FOUND', message: 'Order not found' };

/** A supplier that does not know its newest order for its first calls. */
async function open(misses: number) {
  const bodies: string[] = [];
  const supplier: SupplierApi = {
    pull: async () => ({
      kind: 'read',
      readAt: start,
      value: { orders: [told('SO', { createdAt: start, quantity: 1 })], received: 1 },
    }),
    orders: async () => ({ kind: 'read', readAt: start, value: { orders: [], received: 0 } }),
    setLastProcessTime: async () => ({ kind: 'read', readAt: start, value: null }),
    async sendDelivery({ body }) {
      bodies.push(body);
      return bodies.length <= misses ? notFound : { kind: 'accepted' };
    },
  };
  const gateway = await openGateway({ numbers: scriptedNumbers({}).numbers, supplier });
  await gateway.clock.until(pullOrders(gateway.deps, byAlice, 10));
  const deliver = () =>
    gateway.clock.until(
      deliverOrder(gateway.deps, {
        by: byAlice,
        orderId: supplierId('SO'),
        lines: ['a:1'],
        status: null,
        externalId: null,
        externalPrice: null,
        overflow: 'REFUSE',
      }),
    );
  return { ...gateway, bodies, deliver };
}

describe('an order that is not found just after it was made', () => {
  it('is sent the very same request again, a second later, and gets its lines', async () => {
    const { bodies, deliver, clock } = await open(2);
    const before = clock.now();
    expect(await deliver()).toMatchObject({ kind: 'DeliveryAccepted' });
    expect(clock.now() - before).toBe(2_000);
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
  });

  it('that stays unknown is refused as such within ten seconds and a little, and never sent again', async () => {
    const { bodies, deliver, clock, deps, store } = await open(Number.POSITIVE_INFINITY);
    expect(await deliver()).toMatchObject({ kind: 'DeliveryPending' });
    const worker = runWorker(deps, deliverer(deps));
    await clock.pass(5_000);
    const [delivery] = await store.supplier.deliveries([supplierId('SO')]);
    expect(delivery).toMatchObject({ state: 'REJECTED', rejection: { code: 'ORDER_NOT_FOUND' } });
    const sent = bodies.length;
    expect(sent).toBeLessThanOrEqual(12);
    await clock.pass(600_000);
    expect(bodies).toHaveLength(sent);
    await worker.stop();
  });
});
