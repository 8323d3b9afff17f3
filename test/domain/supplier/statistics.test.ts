import { expect, it } from 'vitest';
import { supplierStatistics } from '../../../src/domain/supplier/statistics.ts';

it('has shares of the orders that were completed, and counts those that were claimed', () => {
  expect(supplierStatistics(9, [1, 600, 601, 86_400, 86_401])).toEqual({
    orders: 9,
    secondsToComplete: { p50: 601, p95: 86_401, max: 86_401 },
    withinTenMinutes: 0.4,
    overOneDay: 0.2,
  });
});

it('has no shares before one is completed', () => {
  expect(supplierStatistics(9, [])).toEqual({
    orders: 9,
    secondsToComplete: null,
    withinTenMinutes: null,
    overOneDay: null,
  });
});
