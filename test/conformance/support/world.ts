import { afterEach, beforeEach } from 'vitest';
import { type Instant, instant, parseInstant } from '../../../src/domain/time.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { Wake, WakeKey } from '../../../src/ports/wake.ts';
import type { CreateDatabase, TestDatabase, WholeStore } from './database.ts';

/** A clock that stands still until told. */
export interface FakeClock extends Clock {
  pass(milliseconds: number): void;
}

export function fakeClock(): FakeClock {
  let now = at('2026-09-02T06:40:00Z');
  let timers: { readonly due: number; readonly run: () => void }[] = [];
  const after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { due: now + milliseconds, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    now: () => now,
    after,
    sleep: (milliseconds) => new Promise((resolve) => after(milliseconds, resolve)),
    pass(milliseconds) {
      now = instant(now + milliseconds);
      const due = timers.filter((timer) => timer.due <= now);
      timers = timers.filter((timer) => timer.due > now);
      for (const timer of due) timer.run();
    },
  };
}

/** Remembers what was announced. */
export interface FakeWake extends Wake {
  /** What was announced since the last look, each once. */
  take(): WakeKey[];
  readonly everybody: () => number;
}

export function fakeWake(): FakeWake {
  let keys = new Set<WakeKey>();
  let everybody = 0;
  return {
    announce(more) {
      for (const key of more) keys.add(key);
    },
    announceAll() {
      everybody += 1;
    },
    listen: () => () => undefined,
    take() {
      const taken = [...keys].sort();
      keys = new Set();
      return taken;
    },
    everybody: () => everybody,
  };
}

export function countingRandom(): Random {
  let count = 0;
  return {
    token: () => {
      count += 1;
      return `token-${count}`;
    },
    unit: () => 0.5,
  };
}

export interface World {
  readonly store: WholeStore;
  readonly clock: FakeClock;
  readonly wake: FakeWake;
  readonly database: TestDatabase;
  now(): Instant;
  /** Another instance on the same database, with the same clock and wakes of its own. */
  another(): Promise<{ readonly store: WholeStore; readonly wake: FakeWake }>;
}

/** A fresh database for each test; to be called while tests are described. Returns what gives the test its world. */
export function useWorld(create: CreateDatabase): () => World {
  let world: World | null = null;
  beforeEach(async () => {
    const database = await create();
    const clock = fakeClock();
    const wake = fakeWake();
    const random = countingRandom();
    const store = await database.open({ clock, random, wake });
    wake.take();
    world = {
      store,
      clock,
      wake,
      database,
      now: clock.now,
      async another() {
        const itsWake = fakeWake();
        return { store: await database.open({ clock, random, wake: itsWake }), wake: itsWake };
      },
    };
  });
  afterEach(async () => {
    await world?.database.drop();
    world = null;
  });
  return () => {
    if (world === null) throw new Error('no test is running');
    return world;
  };
}

export function at(text: string): Instant {
  return known(parseInstant(text));
}

export function known<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('the test expected a value');
  return value;
}
