import type { Clock } from '../../src/ports/clock.ts';
import type { FurtherStores } from '../../src/ports/store/further.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { Wake } from '../../src/ports/wake.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import { seededRandom } from '../support/seeded-random.ts';

export interface OpenedStore {
  readonly store: Store & FurtherStores;
  /** What is waiting is committed, as at the end of a process that had just begun to write it. */
  close(): void;
}

/** The stores of one database, each for one instance at a time. */
export interface Stores {
  open(wake: Wake): Promise<OpenedStore>;
  closeAll(): void;
}

/**
 * A store keeps nothing in memory that a restart would lose, and to open one takes longer than most histories. So a
 * dead instance's store goes over to the next one, unless `reopens` says that it is opened anew from the file.
 */
export function createStores(file: string, clock: Pick<Clock, 'now'>, reopens: boolean): Stores {
  const idle: Handle[] = [];
  const all: Handle[] = [];

  async function openHandle(): Promise<Handle> {
    let target: Wake | null = null;
    const wake: Wake = {
      announce: (keys) => target?.announce(keys),
      announceAll: () => target?.announceAll(),
      listen: () => () => undefined,
    };
    const store = await openSqliteStore({
      file,
      // What it would see of other processes is told by the simulator.
      clock: { now: clock.now, after: () => () => undefined },
      random: seededRandom(all.length),
      wake,
      cipher: testCipher,
    });
    const handle: Handle = {
      store,
      belongTo(next) {
        target = next;
      },
    };
    all.push(handle);
    return handle;
  }

  return {
    async open(wake) {
      const handle = idle.pop() ?? (await openHandle());
      handle.belongTo(wake);
      return {
        store: handle.store,
        close() {
          handle.belongTo(null);
          if (reopens) void handle.store.close();
          else idle.push(handle);
        },
      };
    },
    closeAll() {
      for (const { store } of all) void store.close();
    },
  };
}

interface Handle {
  readonly store: Store & FurtherStores;
  belongTo(wake: Wake | null): void;
}
