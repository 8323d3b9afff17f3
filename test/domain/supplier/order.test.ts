import { describe, expect, it } from 'vitest';
import { leasedUntil } from '../../../src/domain/supplier/lease.ts';
import {
  isOpenClaim,
  remainingOf,
  type SupplierOrder,
  supplierOrderStatuses,
} from '../../../src/domain/supplier/order.ts';
import { later, MINUTE } from '../../../src/domain/time.ts';
import { moment, start, supplierOrderId } from '../../support/values.ts';

const order: SupplierOrder = {
  id: supplierOrderId('ord-7'),
  quantity: 3,
  status: 'PROCESSING',
  paymentStatus: 'COMPLETED',
  productType: 'MANUAL',
  entityType: null,
  subCategory: null,
  deliveredCount: 1,
  lastProcessTime: null,
  externalId: null,
  externalPrice: null,
  createdAt: start,
  claimedAt: start,
  claimedBy: null,
  claimSequence: 1,
  completedAt: null,
  asOf: start,
};

describe('a lease', () => {
  it.each([
    ['fresh', 0, 30 * MINUTE],
    ['a minute before its end', -29 * MINUTE, MINUTE],
    ['a moment before', -30 * MINUTE + 1, 1],
    ['written ahead of time', 10 * MINUTE, 40 * MINUTE],
  ])('%s', (_, written, rest) => {
    expect(leasedUntil(moment(written), start)).toBe(moment(rest));
  });

  it('is over thirty minutes after it was written, or was never', () => {
    expect(leasedUntil(moment(-30 * MINUTE), start)).toBeNull();
    expect(leasedUntil(later(start, -100 * MINUTE), start)).toBeNull();
    expect(leasedUntil(null, start)).toBeNull();
  });
});

describe('a supplier order', () => {
  it('has the rest remaining, and never less than nothing', () => {
    expect(remainingOf(order)).toBe(2);
    expect(remainingOf({ quantity: 3, deliveredCount: 5 })).toBe(0);
  });

  it('is open work while it is claimed here and not closed, whatever a newer API calls that', () => {
    const open = supplierOrderStatuses.filter((status) => isOpenClaim({ ...order, status }));
    expect(open).toEqual(['PROCESSING', 'UNKNOWN']);
    expect(isOpenClaim({ ...order, claimedAt: null })).toBe(false);
  });
});
