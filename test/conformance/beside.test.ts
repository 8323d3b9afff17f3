import { describe, expect, it } from 'vitest';
import { sqliteDatabase } from '../store/sqlite/support/sqlite-database.ts';
import { suites } from './suites.ts';
import type { CreateDatabase, TestDatabase } from './support/database.ts';
import { attemptId } from './support/values.ts';
import { countingRandom, fakeClock, fakeWake } from './support/world.ts';

/** Runs something else after each call of a port, in the same turn. */
function beside<Room extends object>(room: Room, other: () => void): Room {
  return new Proxy(room, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') {
        return (...given: unknown[]) => {
          const answer: unknown = Reflect.apply(value, target, given);
          if (name !== 'close') other();
          return answer;
        };
      }
      return typeof value === 'object' && value !== null ? beside(value, other) : value;
    },
  });
}

/**
 * A batch of SQLite's writer in which one throws is undone and runs again: here that is every one. Behind the operation: what
 * stands behind the one that throws has not run before.
 */
const besideOneThatThrows: CreateDatabase = async (): Promise<TestDatabase> => {
  const database = await sqliteDatabase();
  return {
    ...database,
    async open(by) {
      const store = await database.open(by);
      return beside(store, () => {
        store.attempts.take(attemptId('nobody'), 'nobody').catch(() => undefined);
      });
    },
  };
};

// What an operation changes besides the database, it would change twice.
describe('SQLite, each operation beside one that throws', () => {
  it('runs each of them twice', async () => {
    const database = await besideOneThatThrows();
    const random = countingRandom();
    let drawn = 0;
    const counted = {
      ...random,
      token: () => {
        drawn += 1;
        return random.token();
      },
    };
    const store = await database.open({ clock: fakeClock(), random: counted, wake: fakeWake() });
    drawn = 0;
    // It draws its id inside of the write.
    expect(await store.alerts.raise({ kind: 'LOW_BALANCE', subject: '', message: 'low' })).toBe(true);
    expect(drawn).toBe(2);
    await database.drop();
  });

  for (const suite of suites) suite(besideOneThatThrows);
});
