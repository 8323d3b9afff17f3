import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../src/domain/time.ts';
import { deliverOrder } from '../../../src/flows/supplier/deliver-order.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import { deliverer } from '../../../src/workers/deliverer.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { told } from '../../conformance/support/supplier-values.ts';
import { openScripted } from '../../support/gateway.ts';
import { byAlice, supplierOrderId } from '../../support/values.ts';

// Its lines were stored, and no answer ever told so. A list then counted them: taken for new ones, the first of them filled
// the room of the line that was missing, and the order was completed one short.
test('lines of an expired delivery that a list has counted are delivered already', async () => {
  let isSilent = true;
  const sent: string[] = [];
  const never = () => Promise.reject(new Error('the test did not expect this call'));
  const supplier: SupplierApi = {
    pull: never,
    orders: never,
    setLastProcessTime: never,
    async sendDelivery({ body }) {
      if (isSilent) return { kind: 'unclear', why: 'no answer' };
      sent.push(body);
      return { kind: 'accepted' };
    },
  };
  const { deps, clock, store } = await openScripted({}, { supplier });
  const orderId = supplierOrderId('SO');
  await store.supplier.record([told('SO', { quantity: 3 })], clock.now());
  const deliver = (...lines: readonly string[]) =>
    clock.until(
      deliverOrder(deps, {
        by: byAlice,
        orderId,
        lines,
        status: null,
        externalId: null,
        externalPrice: null,
        overflow: 'SEND_WHAT_FITS',
      }),
    );
  expect(await deliver('a', 'b')).toMatchObject({ kind: 'DeliveryPending' });
  const worker = runWorker(deps, deliverer(deps));
  await clock.pass(HOUR + 60 * SECOND);
  await clock.until(worker.stop());
  expect(await store.supplier.deliveries([orderId])).toMatchObject([{ state: 'EXPIRED' }]);

  isSilent = false;
  await store.supplier.record([told('SO', { quantity: 3, deliveredCount: 2 })], clock.now());
  const outcome = await deliver('a', 'b', 'c');
  expect(outcome).toMatchObject({
    kind: 'DeliveryAccepted',
    plan: { fresh: ['c'], duplicate: ['a', 'b'], overflow: [], remainingAfter: 0 },
    order: { deliveredCount: 3, status: 'COMPLETED' },
  });
  expect(sent.map((body) => JSON.parse(body))).toMatchObject([{ status: 'completed', accounts: ['c'] }]);
});
