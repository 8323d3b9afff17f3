import { onTestFinished } from 'vitest';
import type { SupplierOrderId } from '../../../src/domain/ids.ts';
import type { DeliveryReply } from '../../../src/domain/supplier/delivery.ts';
import { deliveryRequest } from '../../../src/domain/supplier/request-body.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { BASE, placeOrder, steer } from '../../sandbox/supplier/support.ts';
import { supplierOrderId } from './support.ts';

/** Without the spacing of updates, unless a test is about it: a busy machine must not make two of them arrive together. */
export async function openSupplier(
  settings: Readonly<Record<string, unknown>> = { supplier_min_update_interval_ms: 0 },
) {
  const { origin, world, close } = await startSandbox({ port: 0 });
  onTestFinished(close);
  steer(world, 'POST settings', settings);
  return {
    world,
    url: `${origin}${BASE}`,
    place: (order: Readonly<Record<string, unknown>> = {}) => supplierOrderId(placeOrder(world, order)),
    fault: (fault: object) => steer(world, 'POST faults', fault),
  };
}

export function request(
  orderId: SupplierOrderId,
  lines: readonly string[],
  status: 'COMPLETED' | 'PARTIAL' = 'PARTIAL',
) {
  return deliveryRequest({ orderId, status, lines, externalId: 'SUP-1', externalPrice: '1.50' });
}

/** As the flow does: the wait that the API told, then the very same request. */
export async function sendUntilClear(
  api: SupplierApi,
  delivery: ReturnType<typeof request>,
): Promise<DeliveryReply> {
  for (;;) {
    const reply = await api.sendDelivery(delivery);
    if (reply.kind !== 'wait') return reply;
    await systemClock.sleep(reply.retryAfterMs);
  }
}
