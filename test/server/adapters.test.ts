import { describe, expect, test, vi } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import { systemClock } from '../../src/system-clock.ts';
import { systemRandom } from '../../src/system-random.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import { orderId } from '../support/values.ts';

const key = (id: OrderId): `order:${OrderId}` => `order:${id}`;

describe('wakes in one process', () => {
  test('rouse whoever listens for the key, once for a burst', async () => {
    const wake = createInProcessWake(() => undefined);
    const calls: string[] = [];
    wake.listen([key(orderId(1)), 'balance'], () => calls.push('both'));
    wake.listen([key(orderId(2))], () => calls.push('other'));
    for (let n = 0; n < 1_000; n++) wake.announce([key(orderId(1)), 'balance']);
    expect(calls).toEqual([]);
    await Promise.resolve();
    expect(calls).toEqual(['both']);
    wake.announceAll();
    await Promise.resolve();
    expect(calls).toEqual(['both', 'both', 'other']);
  });

  test('do not reach who has gone, though announced before', async () => {
    const wake = createInProcessWake(() => undefined);
    let calls = 0;
    const unlisten = wake.listen(['inbox'], () => {
      calls += 1;
    });
    wake.announce(['inbox']);
    unlisten();
    await Promise.resolve();
    expect(calls).toBe(0);
  });

  test('reach the rest when one listener throws', async () => {
    const errors: unknown[] = [];
    const wake = createInProcessWake((error) => errors.push(error));
    let calls = 0;
    wake.listen(['inbox'], () => {
      throw new Error('bad');
    });
    wake.listen(['inbox'], () => {
      calls += 1;
    });
    wake.announce(['inbox']);
    await Promise.resolve();
    expect([calls, errors.length]).toEqual([1, 1]);
  });
});

describe('the system clock', () => {
  test('keeps a wait longer than a timer of Node can be', async () => {
    vi.useFakeTimers();
    let fired = false;
    systemClock.after(2 ** 31 + 5_000, () => {
      fired = true;
    });
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(fired).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fired).toBe(true);
    vi.useRealTimers();
  });

  test('a sleep ends early by its signal, and at once by one that has been', async () => {
    const controller = new AbortController();
    const startedAt = Date.now();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort();
    await sleeping;
    await systemClock.sleep(60_000, controller.signal);
    expect(Date.now() - startedAt).toBeLessThan(1_000);
  });
});

test('tokens are of their alphabet and never twice; chances lie from 0 up to 1', () => {
  const tokens = Array.from({ length: 1_000 }, () => systemRandom.token());
  expect(new Set(tokens).size).toBe(1_000);
  expect(tokens.every((token) => /^[A-Za-z0-9_-]{22,}$/.test(token))).toBe(true);
  const chances = Array.from({ length: 1_000 }, () => systemRandom.unit());
  expect(Math.min(...chances)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...chances)).toBeLessThan(1);
  expect(Math.max(...chances) - Math.min(...chances)).toBeGreaterThan(0.9);
});
