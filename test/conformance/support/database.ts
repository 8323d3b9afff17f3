import type { Clock } from '../../../src/ports/clock.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { FurtherStores } from '../../../src/ports/store/further.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import type { Wake } from '../../../src/ports/wake.ts';

/** Everything that a store offers. */
export type WholeStore = Store & FurtherStores;

/** A database of its own for one test, with as many handles as the test opens. */
export interface TestDatabase {
  /** Two handles stand for two instances of the program. */
  open(by: { readonly clock: Clock; readonly random: Random; readonly wake: Wake }): Promise<WholeStore>;
  /** Raw SQL, for what no port tells or does. Every store has these tables and columns. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Closes what the test left open, and removes everything. */
  drop(): Promise<void>;
}

export type CreateDatabase = () => Promise<TestDatabase>;
