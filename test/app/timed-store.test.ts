import { expect, test } from 'vitest';
import { timedStore } from '../../src/app/timed-store.ts';
import { createFakeClock } from '../support/fake-clock.ts';

test('an operation is timed until it has ended, well or not, and gives what it gave', async () => {
  const clock = createFakeClock();
  const calls: [room: string, milliseconds: number][] = [];
  const store = timedStore(
    {
      orders: {
        after: 3,
        find: async (id: number) => {
          await clock.sleep(20);
          if (id < 0) throw new Error('none');
          return id;
        },
      },
      close: async () => 'closed',
    },
    clock,
    { storeCall: (room, milliseconds) => calls.push([room, milliseconds]) },
  );
  expect(await clock.until(store.orders.find(7))).toBe(7);
  await expect(clock.until(store.orders.find(-1))).rejects.toThrow('none');
  expect(calls).toEqual([
    ['orders', 20],
    ['orders', 20],
  ]);
  expect(store.orders.after).toBe(3);
  expect(await store.close()).toBe('closed');
  // One proxy for each: what is compared by identity stays the same.
  expect(store.orders).toBe(store.orders);
  expect(store.orders.find).toBe(store.orders.find);
  expect({ ...store.orders }.find).toBe(store.orders.find);
});
