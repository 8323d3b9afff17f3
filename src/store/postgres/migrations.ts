import type { Migration } from '../migration.ts';
import { initial } from './migrations/0001-initial.ts';
import { daySums } from './migrations/0002-day-sums.ts';

/** In order, for good: one that was released is never changed, and what the next one needs is added behind it. */
export const migrations: readonly Migration[] = [initial, daySums];
