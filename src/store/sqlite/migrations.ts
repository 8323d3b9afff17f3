import type { Migration } from '../migration.ts';
import { initial } from './migrations/0001-initial.ts';
import { supplierAndWatch } from './migrations/0002-supplier-and-watch.ts';
import { totalsAndInbox } from './migrations/0003-totals-and-inbox.ts';
import { audit } from './migrations/0004-audit.ts';
import { pendingOfOrder } from './migrations/0005-pending-of-order.ts';
import { daySums } from './migrations/0006-day-sums.ts';

/**
 * In order, for good: one that was released is never changed, and what the next one needs is added behind it. Texts
 * inside of modules, so that the built program carries them wherever it is copied.
 */
export const migrations: readonly Migration[] = [
  initial,
  supplierAndWatch,
  totalsAndInbox,
  audit,
  pendingOfOrder,
  daySums,
];
