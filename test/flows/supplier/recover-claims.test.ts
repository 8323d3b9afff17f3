import { expect, test } from 'vitest';
import { recoverClaims } from '../../../src/flows/supplier/recover-claims.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import { told } from '../../conformance/support/supplier-values.ts';
import { openScripted } from '../../support/gateway.ts';

const never = () => Promise.reject(new Error('the test did not expect this call'));

// Found by the simulator: such an order was listed every ten seconds, and never claimed again.
test.each([null, 'UNKNOWN'] as const)(
  'a lost claim that is listed with the status %s is found',
  async (status) => {
    const supplier: SupplierApi = {
      pull: never,
      async orders(query) {
        expect(query.statuses).toEqual(['PROCESSING']);
        return {
          kind: 'read',
          value: { orders: [told('SO', { status })], received: 1 },
          readAt: gateway.clock.now(),
        };
      },
      setLastProcessTime: never,
      sendDelivery: never,
    };
    const gateway = await openScripted({}, { supplier });
    await recoverClaims(gateway.deps);
    expect(await gateway.store.supplier.find(told('SO').id)).toMatchObject({
      status: 'PROCESSING',
      claimedAt: gateway.clock.now(),
      claimedBy: null,
    });
  },
);
