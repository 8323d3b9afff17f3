import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/system-clock.ts';
import { readLedger } from '../sandbox/supplier/support.ts';
import { openSupplier, request, sendUntilClear } from '../upstream/supplier/sandbox-support.ts';
import { anyOrder, memorySlots, openClient } from '../upstream/supplier/support.ts';

/** What the sandbox's own log of requests says about how we kept its limits. */
function conduct(sandbox: Awaited<ReturnType<typeof openSupplier>>) {
  const { requests, delivered_lines } = readLedger(sandbox.world);
  const updates = requests.filter(({ path, status }) => path.endsWith('/orders-update') && status === 200);
  const at = updates.map((update) => Date.parse(update.at));
  return {
    updates: updates.length,
    lines: delivered_lines.length,
    told429: requests.filter(({ status }) => status === 429).length,
    mostUnderWay: Math.max(...requests.map(({ inflight_at_start }) => inflight_at_start + 1)),
    leastSpacing: Math.min(...at.slice(1).map((time, i) => time - (at[i] ?? 0))),
  };
}

describe('B17: the limits', () => {
  it('are kept by 40 deliveries at once, while reads still get through', async () => {
    const sandbox = await openSupplier({});
    const orders = Array.from({ length: 40 }, () => sandbox.place());
    const slots = memorySlots(systemClock);
    const { api } = openClient(sandbox.url, { slots });
    const sending = orders.map((id) => sendUntilClear(api, request(id, [`line of ${id}`])));
    for (let i = 0; i < 10; i++) {
      expect((await api.orders(anyOrder, { limit: 10, offset: 0 })).kind).toBe('read');
    }
    for (const reply of await Promise.all(sending)) expect(reply).toEqual({ kind: 'accepted' });
    const kept = conduct(sandbox);
    expect(kept).toMatchObject({ updates: 40, lines: 40 });
    expect(kept.leastSpacing).toBeGreaterThanOrEqual(200);
    expect(kept.mostUnderWay).toBeLessThanOrEqual(2);
    // A connection that is only being made holds its first update up, and the next one is then too close.
    expect(kept.told429).toBeLessThanOrEqual(3);
    expect(slots.held()).toBe(0);
  });

  it('are kept by two instances that share their places', async () => {
    const sandbox = await openSupplier({ supplier_processing_ms: 60 });
    const slots = memorySlots(systemClock);
    const clients = [openClient(sandbox.url, { slots }), openClient(sandbox.url, { slots })];
    const replies = await Promise.all(
      clients.flatMap(({ api }) => [
        ...Array.from({ length: 6 }, () => sendUntilClear(api, request(sandbox.place(), ['x']))),
        ...Array.from({ length: 6 }, () => api.orders(anyOrder, { limit: 10, offset: 0 })),
        api.pull(3),
      ]),
    );
    expect(replies.map(({ kind }) => kind).filter((kind) => kind !== 'accepted' && kind !== 'read')).toEqual(
      [],
    );
    const kept = conduct(sandbox);
    expect(kept).toMatchObject({ updates: 12, lines: 12 });
    expect(kept.leastSpacing).toBeGreaterThanOrEqual(200);
    expect(kept.mostUnderWay).toBeLessThanOrEqual(2);
    // A connection that is only being made holds its first update up, and the next one is then too close.
    expect(kept.told429).toBeLessThanOrEqual(3);
    expect(slots.held()).toBe(0);
  });
});
