import { MINUTE } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { renewLeases } from '../flows/supplier/lease-order.ts';
import type { Worker } from './loop.ts';

/** Keeps the leases of open claims from running out. */
export function leaseRenewal(deps: Deps): Worker {
  return {
    name: 'lease-renewal',
    wokenBy: [],
    async round() {
      await renewLeases(deps);
      return MINUTE;
    },
  };
}
