import type { WakeKey } from '../../src/ports/wake.ts';
import type { FakeWake } from '../conformance/support/world.ts';

/** Waits for what comes over sockets; fails after `limit` milliseconds. */
export async function until(isSo: () => boolean | Promise<boolean>, limit = 5_000): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < limit) {
    if (await isSo()) return performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it did not come to pass');
}

/** Collects what a wake is told over time. */
export function ear(wake: FakeWake) {
  const heard = new Set<WakeKey>();
  return (key: WakeKey): boolean => {
    for (const told of wake.take()) heard.add(told);
    return heard.has(key);
  };
}
