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
  /** What is stored, sorted, with what is sealed opened: of two histories of one seed, the same. */
  rows(): Promise<readonly string[]>;
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

/** A store, and who it serves at present. */
interface Handle {
  readonly store: AnyStore;
  serve(owner: Footing): void;
}

/** Instances that live at once, in any history. */
const MOST_STORES = 3;
/** Between two histories a store serves nobody. */
const nobody: Footing = {
  now: createFakeClock().now,
  random: seededRandom(0),
  wake: { announce: () => undefined, announceAll: () => undefined },
};

export function createGrounds(makeLand: () => Promise<Land>): Grounds {
  let prepared: Promise<Prepared> | null = null;
  let before = Promise.resolve();

  return {
    async borrow(seed, reopens) {
      // A history whose test was given up for its time goes on all the same: the next one waits, or it would find its traces.
      const earlier = before;
      let end = (): void => undefined;
      before = new Promise((resolve) => {
        end = resolve;
      });
      await earlier;
      prepared ??= prepare(makeLand);
      const { land, beside, idle } = await prepared;
      const clock = createFakeClock(undefined, land.settle);
      const random = seededRandom(seed);
      const footing = (wake: Announce): Footing => ({ now: clock.now, random, wake });
      beside.serve(footing(nobody.wake));
      return {
        clock,
        beside: beside.store,
        within: land.count(beside.store),
        openInspector: () => land.openInspector(),
        count: land.count,
        async open(wake) {
          // One or the other by the history's own will: opening takes turns of the event loop, in which the others go on.
          const handle = reopens ? await openHandle(land, footing(wake)) : idle.pop();
          if (handle === undefined) throw new Error(`more than ${MOST_STORES} instances live at once`);
          handle.serve(footing(wake));
          return {
            store: land.count(handle.store),
            close() {
              handle.serve(nobody);
              if (reopens) void handle.store.close();
              else idle.push(handle);
            },
          };
        },
        async close() {
          await land.settle();
          await land.reset();
          end();
        },
      };
    },
    async leave() {
      if (prepared === null) return;
      const { land, beside, idle } = await prepared;
      prepared = null;
      for (const { store } of [...idle, beside]) await store.close();
      await land.leave();
    },
  };
}

interface Prepared {
  readonly land: Land;
  readonly beside: Handle;
  readonly idle: Handle[];
}

/** All stores are opened before the first history: what one leaves behind must be no less than what it has found. */
async function prepare(makeLand: () => Promise<Land>): Promise<Prepared> {
  const land = await makeLand();
  const beside = await openHandle(land, nobody);
  const idle: Handle[] = [];
  while (idle.length < MOST_STORES) idle.push(await openHandle(land, nobody));
  await land.reset();
  return { land, beside, idle };
}

async function openHandle(land: Land, first: Footing): Promise<Handle> {
  let owner = first;
  const store = await land.openStore({
    now: () => owner.now(),
    random: { unit: () => owner.random.unit(), token: () => owner.random.token() },
    wake: {
      announce: (keys) => owner.wake.announce(keys),
      announceAll: () => owner.wake.announceAll(),
    },
  });
  return {
    store,
    serve(next) {
      owner = next;
    },
  };
}
