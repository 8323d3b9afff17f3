import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimit } from '../../src/server/rate-limit.ts';
import { createFakeClock } from '../support/fake-clock.ts';

test('a burst of twice the rate, then the rate, and the wait that is told is the right one', async () => {
  const clock = createFakeClock();
  const limit = createRateLimit(10, clock);
  for (let n = 0; n < 20; n++) expect(limit.take('a')).toBeNull();
  expect(limit.take('a')).toBe(100);
  expect(limit.take('b')).toBeNull();
  await clock.pass(99);
  expect(limit.take('a')).toBe(1);
  await clock.pass(1);
  expect(limit.take('a')).toBeNull();
  expect(limit.take('a')).not.toBeNull();
});

test('off lets everything through', () => {
  const limit = createRateLimit('off', createFakeClock());
  for (let n = 0; n < 10_000; n++) expect(limit.take('a')).toBeNull();
});

test('whatever the rhythm, no window lets more through than the burst and what the time in it gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (pauses, rate) => {
        const clock = createFakeClock();
        const limit = createRateLimit(rate, clock);
        const begin = clock.now();
        let passed = 0;
        for (const pause of pauses) {
          await clock.pass(pause);
          if (limit.take('a') === null) passed += 1;
        }
        expect(passed).toBeLessThanOrEqual(2 * rate + ((clock.now() - begin) * rate) / 1_000);
      },
    ),
    { numRuns: 30 },
  );
});
