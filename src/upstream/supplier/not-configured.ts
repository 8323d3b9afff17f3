import type { SupplierApi } from '../../ports/supplier-api.ts';

/** The supplier side without its key. */
export function notConfiguredSupplier(): SupplierApi {
  const off = () => Promise.resolve({ kind: 'not-configured' } as const);
  return {
    pull: off,
    orders: off,
    setLastProcessTime: off,
    // A delivery left from when there was a key may come here. It stays pending: what an earlier send did is not known.
    sendDelivery: () =>
      Promise.resolve({ kind: 'unclear', why: 'the supplier side is not configured; it was not sent' }),
  };
}
