import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/system-clock.ts';
import { readLedger } from '../../sandbox/supplier/support.ts';
import { openSupplier, request, sendUntilClear } from './sandbox-support.ts';
import { anyOrder, openClient, supplierOrderId } from './support.ts';

describe('the life of an order', () => {
  it('pulled, leased, read, delivered in rounds, closed', async () => {
    const sandbox = await openSupplier();
    const id = sandbox.place({ quantity: 2 });
    const { api } = openClient(sandbox.url);

    const pulled = await api.pull(10);
    expect(pulled).toMatchObject({
      kind: 'read',
      value: { received: 1, orders: [{ id, quantity: 2, status: 'PROCESSING', deliveredCount: 0 }] },
    });
    expect(await api.pull(10)).toMatchObject({ kind: 'read', value: { received: 0, orders: [] } });

    const now = systemClock.now();
    const processing = { ...anyOrder, statuses: ['PROCESSING'] } as const;
    expect(await api.setLastProcessTime(id, now)).toMatchObject({ kind: 'read', value: null });
    expect(await api.orders(processing, { limit: 10, offset: 0 })).toMatchObject({ value: { orders: [] } });
    await api.setLastProcessTime(id, null);
    const read = await api.orders(processing, { limit: 10, offset: 0 });
    expect(read).toMatchObject({ value: { orders: [{ id, lastProcessTime: null }] } });

    expect(await api.sendDelivery(request(id, ['é:1']))).toEqual({ kind: 'accepted' });
    expect(await api.sendDelivery(request(id, ['É:1', 'u2'], 'COMPLETED'))).toEqual({ kind: 'accepted' });
    const done = await api.orders({ ...anyOrder, statuses: ['COMPLETED'] }, { limit: 10, offset: 0 });
    expect(done).toMatchObject({
      value: {
        orders: [{ id, status: 'COMPLETED', deliveredCount: 2, externalId: 'SUP-1', externalPrice: '1.50' }],
      },
    });
    expect(readLedger(sandbox.world).delivered_lines.map(({ line }) => line)).toEqual(['é:1', 'u2']);
  });

  it('of a large load goes by accounts-bulk', async () => {
    const sandbox = await openSupplier();
    const id = sandbox.place({ quantity: 5_000 });
    const lines = Array.from({ length: 5_000 }, (_, i) => `user-${i}:${'x'.repeat(80)}`);
    const delivery = request(id, lines);
    expect(delivery.endpoint).toContain('accounts-bulk');
    expect(await openClient(sandbox.url).api.sendDelivery(delivery)).toEqual({ kind: 'accepted' });
    expect(readLedger(sandbox.world).delivered_lines).toHaveLength(5_000);
  });

  it('pages by what was received, and reads every odd shape', async () => {
    const sandbox = await openSupplier();
    for (const shape of ['plain', 'absent', 'null', 'extra', 'newer']) sandbox.place({ shape });
    const { api, lines } = openClient(sandbox.url);
    const ids: string[] = [];
    for (let offset = 0; ; ) {
      const reply = await api.orders(anyOrder, { limit: 2, offset });
      if (reply.kind !== 'read') throw new Error(reply.kind);
      ids.push(...reply.value.orders.map(({ id }) => id));
      offset += reply.value.received;
      if (reply.value.received < 2) break;
    }
    expect(ids).toEqual(readLedger(sandbox.world).supplier_orders.map(({ id }) => id));
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
  });
});

describe('each code', () => {
  it.each([
    [{ paymentStatus: 'pending' }, ['x'], 'PAYMENT_NOT_COMPLETED'],
    [{ foreign: true }, ['x'], 'ACCESS_DENIED'],
    [{}, [' '], 'INVALID_ACCOUNTS'],
  ])('of an order %j given %j: %s', async (order, lines, code) => {
    const sandbox = await openSupplier();
    const reply = await openClient(sandbox.url).api.sendDelivery(request(sandbox.place(order), lines));
    expect(reply).toMatchObject({ kind: 'refused', code });
  });

  it('ORDER_NOT_FOUND', async () => {
    const sandbox = await openSupplier();
    const { api } = openClient(sandbox.url);
    const nobody = supplierOrderId('nobody');
    expect(await api.sendDelivery(request(nobody, ['x']))).toMatchObject({
      kind: 'refused',
      code: 'ORDER_NOT_FOUND',
    });
    expect(await api.setLastProcessTime(nobody, null)).toEqual({
      kind: 'refused',
      httpStatus: 404,
      code: 'ORDER_NOT_FOUND',
    });
  });

  it('INVALID_API_KEY', async () => {
    const sandbox = await openSupplier();
    const { api } = openClient(sandbox.url, { key: 'another-key' });
    expect(await api.pull(1)).toEqual({ kind: 'unauthorized', httpStatus: 401 });
    expect(await api.sendDelivery(request(sandbox.place(), ['x']))).toMatchObject({
      kind: 'refused',
      code: 'INVALID_API_KEY',
    });
  });

  it('RATE_LIMIT, from somebody else under the same key', async () => {
    const sandbox = await openSupplier({ supplier_min_update_interval_ms: 700 });
    const id = sandbox.place();
    await openClient(sandbox.url).api.sendDelivery(request(id, ['x']));
    const { api } = openClient(sandbox.url);
    const delivery = request(id, ['y']);
    expect(await api.sendDelivery(delivery)).toMatchObject({ kind: 'wait', code: 'RATE_LIMIT' });
    expect(await sendUntilClear(api, delivery)).toEqual({ kind: 'accepted' });
  });

  it('ORDER_DELIVERY_BUSY and CONCURRENCY_LIMIT, from somebody else under the same key', async () => {
    const sandbox = await openSupplier({ supplier_processing_ms: 1_000 });
    const underWay = async (requests: number) => {
      while (readLedger(sandbox.world).requests.length < requests) await systemClock.sleep(5);
      // It is in the log when its head is there, and counted when its body is.
      await systemClock.sleep(50);
    };
    const lines = Array.from({ length: 1_001 }, (_, i) => `line-${i}`);
    const bulk = request(sandbox.place({ quantity: 10_000 }), lines);
    const [mine, theirs] = [openClient(sandbox.url), openClient(sandbox.url)];
    const first = mine.api.sendDelivery(bulk);
    await underWay(1);
    expect(await theirs.api.sendDelivery(bulk)).toEqual({
      kind: 'wait',
      code: 'ORDER_DELIVERY_BUSY',
      retryAfterMs: 250,
    });
    const read = mine.api.orders(anyOrder, { limit: 1, offset: 0 });
    await underWay(3);
    expect(await theirs.api.sendDelivery(bulk)).toEqual({
      kind: 'wait',
      code: 'CONCURRENCY_LIMIT',
      retryAfterMs: 5_000,
    });
    expect((await first).kind).toBe('accepted');
    expect((await read).kind).toBe('read');
  });
});

describe('faults behind which something happened', () => {
  it('a pull whose answer is lost is not sent again, and its orders are processing', async () => {
    const sandbox = await openSupplier();
    sandbox.place();
    sandbox.fault({ kind: 'reset_after', match: { path: '/api/admin/v2/orders-pull' } });
    const { api } = openClient(sandbox.url);
    expect(await api.pull(10)).toMatchObject({ kind: 'unavailable' });
    expect(readLedger(sandbox.world).requests).toHaveLength(1);
    expect(readLedger(sandbox.world).claims).toHaveLength(1);
  });

  it('a pull refused with a 429 is sent again', async () => {
    const sandbox = await openSupplier();
    const id = sandbox.place();
    sandbox.fault({ kind: 'status', status: 429, body: { error: 'RATE_LIMIT', retry_after_ms: 20 } });
    expect(await openClient(sandbox.url).api.pull(10)).toMatchObject({ value: { orders: [{ id }] } });
    expect(readLedger(sandbox.world).requests.map(({ status }) => status)).toEqual([429, 200]);
  });

  it('C10: a delivery whose answer is lost may be sent again by its owner, and nothing is stored twice', async () => {
    const sandbox = await openSupplier();
    const delivery = request(sandbox.place(), ['x', 'y']);
    for (const kind of ['reset_after', 'half_body', 'half_body_close', 'html_502', 'wrong_shape'] as const) {
      const more =
        kind === 'html_502' ? { effect: true } : kind === 'wrong_shape' ? { merge: { success: false } } : {};
      sandbox.fault({ kind, ...more });
    }
    const { api } = openClient(sandbox.url);
    for (let i = 0; i < 5; i++) expect((await api.sendDelivery(delivery)).kind).toBe('unclear');
    expect(await api.sendDelivery(delivery)).toEqual({ kind: 'accepted' });
    expect(readLedger(sandbox.world).delivered_lines.map(({ line }) => line)).toEqual(['x', 'y']);
  });
});
