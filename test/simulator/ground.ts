import type { Instant } from '../../src/domain/time.ts';
import type { Random } from '../../src/ports/random.ts';
import type { FurtherStores } from '../../src/ports/store/further.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { Wake } from '../../src/ports/wake.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { Inspector } from './inspector.ts';

export type AnyStore = Store & FurtherStores;

/** Of the wakes, what a store announces: where it goes changes with whom the store belongs to. */
export type Announce = Pick<Wake, 'announce' | 'announceAll'>;

/** What a store stands on, whichever history it serves. */
export interface Footing {
  readonly now: () => Instant;
  readonly random: Random;
  readonly wake: Announce;
}

/** A database that histories take place on, one after the other: to make one takes longer than most histories. */
export interface Land {
  openStore(footing: Footing): Promise<AnyStore>;
  openInspector(): Promise<Inspector>;
  /** Waits until nothing goes on by itself any more. */
  settle(): Promise<void>;
  /** Of what is asked for in a history: counted as going on until it is answered. */
  count<Port extends object>(port: Port): Port;
  /** As it was when it was made. */
  reset(): Promise<void>;
  /** No history is to come any more. */
  leave(): Promise<void>;
}

export interface OpenedStore {
  readonly store: AnyStore;
  /** What is waiting is committed, as at the end of a process that had just begun to write it. */
  close(): void;
}

/** The land of one history: its own clock, its own stores, and nothing left of the history before. */
export interface Ground {
  readonly clock: FakeClock;
  /**
   * A store for one instance at a time. It keeps nothing in memory that a restart would lose, so a dead instance's store
   * goes over to the next one, unless the history says that each is opened anew.
   */
  open(wake: Announce): Promise<OpenedStore>;
  /** The database from beside: what is committed, whatever the instances say of it. Not to be asked from within a history. */
  readonly beside: AnyStore;
  /** The same, for what is looked at within a history. */
  readonly within: AnyStore;
  openInspector(): Promise<Inspector>;
  readonly count: Land['count'];
  close(): Promise<void>;
}

/** Lends the ground for one history after the other. */
export interface Grounds {
  borrow(seed: number, reopens: boolean): Promise<Ground>;
  leave(): Promise<void>;
}

interface Handle {
  readonly store: AnyStore;
  belongTo(wake: Announce | null): void;
}

export function createGrounds(makeLand: () => Promise<Land>): Grounds {
  let land: Promise<Land> | null = null;
  let beside: Promise<Handle> | null = null;
  let idle: Handle[] = [];
  let clock = createFakeClock();
  let random = seededRandom(0);
  let before = Promise.resolve();

  async function openHandle(on: Land): Promise<Handle> {
    let target: Announce | null = null;
    const store = await on.openStore({
      now: () => clock.now(),
      random: { unit: () => random.unit(), token: () => random.token() },
      wake: {
        announce: (keys) => target?.announce(keys),
        announceAll: () => target?.announceAll(),
      },
    });
    return {
      store,
      belongTo(wake) {
        target = wake;
      },
    };
  }

  return {
    async borrow(seed, reopens) {
      // A history whose test was given up for its time goes on all the same: the next one waits, or it would find its traces.
      const earlier = before;
      let end = (): void => undefined;
      before = new Promise((resolve) => {
        end = resolve;
      });
      await earlier;
      land ??= makeLand();
      const on = await land;
      clock = createFakeClock(undefined, on.settle);
      random = seededRandom(seed);
      beside ??= openHandle(on);
      const { store: besides } = await beside;
      return {
        clock,
        beside: besides,
        within: on.count(besides),
        openInspector: () => on.openInspector(),
        count: on.count,
        async open(wake) {
          const handle = idle.pop() ?? (await openHandle(on));
          handle.belongTo(wake);
          return {
            store: on.count(handle.store),
            close() {
              handle.belongTo(null);
              if (reopens) void handle.store.close();
              else idle.push(handle);
            },
          };
        },
        async close() {
          await on.settle();
          await on.reset();
          end();
        },
      };
    },
    async leave() {
      for (const { store } of idle) await store.close();
      idle = [];
      if (beside !== null) await (await beside).store.close();
      if (land !== null) await (await land).leave();
      land = null;
      beside = null;
    },
  };
}
