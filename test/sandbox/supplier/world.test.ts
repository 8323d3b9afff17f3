import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../src/sandbox/kernel/world.ts';
import { createSupplierSide } from '../../../src/sandbox/supplier/side.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { type Answered, ask, idsOf, placeOrder, readLedger, steer } from './support.ts';

let clock: FakeClock;
let world: World;

function open(options: { stateFile?: string; seed?: number; every?: number } = {}): World {
  const { every, ...rest } = options;
  return createWorld(
    { clock, ...rest },
    { supplier: (context) => createSupplierSide(context, { orderEverySeconds: every ?? null }) },
  );
}

beforeEach(() => {
  clock = createFakeClock();
  world = open();
});
afterEach(() => world.close());

/** Sends at this instant and lets the processing time pass. */
async function call(what: string, body?: unknown, headers?: Record<string, string>): Promise<Answered> {
  const answer = ask(world, what, body, headers);
  await clock.pass(15);
  return answer;
}

function batch(order: string, ...accounts: string[]) {
  return { order, status: 'partial', accounts };
}

describe('the key', () => {
  it.each([
    [{ 'x-api-key': 'sandbox-key' }],
    [{ authorization: 'Bearer sandbox-key' }],
    [{ authorization: 'bearer  sandbox-key' }],
  ])('lets %j in', async (headers) => {
    expect(await call('GET /orders', undefined, headers)).toEqual({ status: 200, body: { orders: [] } });
  });

  it.each([
    [{}, 'API_KEY_REQUIRED'],
    [{ 'x-api-key': 'other' }, 'INVALID_API_KEY'],
    [{ 'x-api-key': '' }, 'INVALID_API_KEY'],
    [{ authorization: 'Bearer other' }, 'INVALID_API_KEY'],
    [{ authorization: 'Basic sandbox-key' }, 'INVALID_API_KEY'],
  ])('with %j is told %s', async (headers: Record<string, string>, code) => {
    for (const what of ['GET /orders', 'POST /orders-pull', 'POST /orders-update']) {
      expect(await call(what, undefined, headers)).toMatchObject({ status: 401, body: { error: code } });
    }
  });
});

describe('the spacing of orders-update', () => {
  it('refuses with the exact rest, and lets through one who waits just that', async () => {
    const order = placeOrder(world);
    const start = clock.now();
    expect((await call('POST /orders-update', batch(order, 'a'))).status).toBe(200);
    await clock.pass(start + 63 - clock.now());
    expect(await ask(world, 'POST /orders-update', batch(order, 'b'))).toEqual({
      status: 429,
      body: { error: 'RATE_LIMIT', message: 'Too many order update requests', retry_after_ms: 137 },
    });
    await clock.pass(136);
    const early = await ask(world, 'POST /orders-update', batch(order, 'b'));
    expect(early.body['retry_after_ms']).toBe(1);
    await clock.pass(1);
    expect((await call('POST /orders-update', batch(order, 'b'))).status).toBe(200);
  });

  it('is for that call alone, and as long as it is set', async () => {
    const order = placeOrder(world);
    await call('POST /orders-update', batch(order, 'a'));
    expect((await call(`POST /orders/${order}/accounts-bulk`, batch(order, 'b'))).status).toBe(200);
    expect((await call('GET /orders')).status).toBe(200);
    steer(world, 'POST settings', { supplier_min_update_interval_ms: 0 });
    expect((await call('POST /orders-update', batch(order, 'c'))).status).toBe(200);
    expect((await call('POST /orders-update', batch(order, 'c'))).status).toBe(200);
  });
});

describe('two at once', () => {
  it('refuses the third request, whatever it asks, until one is answered', async () => {
    const order = placeOrder(world);
    const first = ask(world, 'GET /orders');
    const second = ask(world, 'POST /orders-pull');
    for (const what of ['GET /orders', 'POST /orders-update', `PATCH /orders/${order}/last-process-time`]) {
      expect(await ask(world, what, batch(order, 'a'))).toEqual({
        status: 429,
        body: {
          error: 'CONCURRENCY_LIMIT',
          message: 'Too many concurrent sync requests',
          retry_after_ms: 5000,
        },
      });
    }
    await clock.pass(15);
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect((await call('GET /orders')).status).toBe(200);
  });

  it('holds through a delay, and a refused request takes no place', async () => {
    world.faults.add({ kind: 'delay', ms: 1000, match: {}, times: 2 });
    const first = ask(world, 'GET /orders');
    const second = ask(world, 'GET /orders');
    await clock.pass(1014);
    for (let n = 0; n < 3; n++) expect((await ask(world, 'GET /orders')).status).toBe(429);
    await clock.pass(1);
    await Promise.all([first, second]);
    expect((await call('GET /orders')).status).toBe(200);
  });

  it('refuses a second delivery on one order, not on another', async () => {
    const [one, other] = [placeOrder(world), placeOrder(world)];
    const running = ask(world, `POST /orders/${one}/accounts-bulk`, batch(one, 'a'));
    expect(await ask(world, 'POST /orders-update', batch(one, 'b'))).toMatchObject({
      status: 429,
      body: { error: 'ORDER_DELIVERY_BUSY', retry_after_ms: 250 },
    });
    expect((await call(`POST /orders/${other}/accounts-bulk`, batch(other, 'c'))).status).toBe(200);
    await running;
    await clock.pass(250);
    expect((await call('POST /orders-update', batch(one, 'b'))).status).toBe(200);
    expect(readLedger(world).delivered_lines.map(({ line }) => line)).toEqual(['a', 'c', 'b']);
  });

  it('gives no order to both of two pulls', async () => {
    const placed = Array.from({ length: 5 }, () => placeOrder(world));
    const pulls = [
      ask(world, 'POST /orders-pull', { limit: 3 }),
      ask(world, 'POST /orders-pull', { limit: 3 }),
    ];
    await clock.pass(15);
    const claimed = (await Promise.all(pulls)).map(idsOf);
    expect(claimed.map((ids) => ids.length)).toEqual([3, 2]);
    expect(claimed.flat()).toEqual(placed);
    const { claims, requests } = readLedger(world);
    expect(claims.map((claim) => claim.order_id)).toEqual(placed);
    expect(requests.map((request) => request.inflight_at_start)).toEqual([0, 1]);
  });
});

describe('a new order', () => {
  it('is ORDER_NOT_FOUND by its id for as long as is set, and listed all the same', async () => {
    steer(world, 'POST settings', { supplier_not_found_seconds: 2 });
    const order = placeOrder(world);
    expect(idsOf(await call('POST /orders-pull'))).toEqual([order]);
    for (const what of [`PATCH /orders/${order}/last-process-time`, `POST /orders/${order}/accounts-bulk`]) {
      expect(await call(what, what.startsWith('PATCH') ? {} : batch(order, 'a'))).toMatchObject({
        status: 404,
        body: { error: 'ORDER_NOT_FOUND' },
      });
    }
    await clock.pass(2000);
    expect((await call(`PATCH /orders/${order}/last-process-time`)).status).toBe(200);
    expect(idsOf(await call('GET /orders'))).toEqual([]);
  });
});

describe('buyers who come by themselves', () => {
  function orders() {
    return readLedger(world).supplier_orders;
  }

  it('stay away where nothing is said', async () => {
    await clock.pass(3_600_000);
    expect(orders()).toEqual([]);
  });

  it('come about as often as is set, the first at once, the same ones for the same seed, until switched off', async () => {
    async function hour(seed: number) {
      world.close();
      clock = createFakeClock();
      world = open({ seed, every: 20 });
      await clock.pass(0);
      expect(orders()).toHaveLength(1);
      await clock.pass(3_600_000);
      return orders();
    }
    const first = await hour(7);
    expect(first.length).toBeGreaterThan(150);
    expect(first.length).toBeLessThan(220);
    expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
    for (const { id } of first) expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(await hour(7)).toEqual(first);
    expect(await hour(8)).not.toEqual(first);

    const before = orders().length;
    steer(world, 'POST settings', { supplier_order_every_seconds: null });
    await clock.pass(3_600_000);
    expect(orders()).toHaveLength(before);
    steer(world, 'POST settings', { supplier_order_every_seconds: 1 });
    await clock.pass(10_000);
    expect(orders().length).toBeGreaterThan(before + 4);
  });

  it('show a share of their orders in shapes that keep only id and quantity', async () => {
    steer(world, 'POST settings', { supplier_order_every_seconds: 1, supplier_odd_share: 1 });
    await clock.pass(60_000);
    const { body } = await call('GET /orders?limit=500');
    const shown = JSON.stringify(body);
    expect(idsOf({ status: 200, body }).length).toBeGreaterThan(30);
    for (const sign of ['"status":null', '"status":"in_review"', '"warranty"']) expect(shown).toContain(sign);
  });
});

describe('the control call', () => {
  it('makes the order asked for', () => {
    const order = {
      quantity: 5,
      paymentStatus: 'refunded',
      productType: 'auto',
      entityType: 'growth',
      subCategory: null,
    };
    expect(steer(world, 'POST supplier-orders', order)).toMatchObject({
      status: 200,
      body: { ...order, status: 'refunded', deliveredCount: 0, createdAt: '2026-09-02T06:40:00.000Z' },
    });
  });

  it.each([
    ['absent', { id: expect.any(String), quantity: 3 }],
    ['null', { id: expect.any(String), quantity: 3, status: null, createdAt: null, external_price: null }],
    ['extra', { quantity: 3, status: 'pending', warranty: { days: 3 } }],
    ['newer', { quantity: 3, status: 'in_review', paymentStatus: 'escrow', productType: 'subscription' }],
  ])('shows one of shape %s so, and claims it like any other', async (shape, shown) => {
    const order = placeOrder(world, { shape });
    const { body } = await call('GET /orders');
    expect(body).toMatchObject({ orders: [shown] });
    if (shape === 'absent') expect(body).toEqual({ orders: [shown] });
    expect(idsOf(await call('POST /orders-pull'))).toEqual([order]);
  });

  it.each([
    ['supplier-orders', {}, 'quantity'],
    ['supplier-orders', { quantity: 0 }, 'quantity'],
    ['supplier-orders', { quantity: 1, paymentStatus: 'paid' }, 'paymentStatus'],
    ['supplier-orders', { quantity: 1, foreign: 'yes' }, 'foreign'],
    ['supplier-orders', { quantity: 1, kind: 'x' }, 'kind'],
    ['settings', { supplier_order_every_seconds: 0 }, 'supplier_order_every_seconds'],
    ['settings', { supplier_processing_ms: 1.5 }, 'supplier_processing_ms'],
    ['settings', { supplier_min_update_interval_ms: null }, 'supplier_min_update_interval_ms'],
    ['settings', { supplier_odd_share: 2 }, 'supplier_odd_share'],
  ])('refuses %s %j and names the key', (path, body, key) => {
    const { status, body: refused } = steer(world, `POST ${path}`, body);
    expect(status).toBe(422);
    expect(refused['message']).toContain(key);
    expect(readLedger(world).supplier_orders).toEqual([]);
  });
});

describe('after a kill', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'supplier-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('everything answered is still there, and nothing is claimed or delivered twice', async () => {
    const stateFile = join(folder, 'state.jsonl');
    world.close();
    world = open({ stateFile });
    steer(world, 'POST settings', { supplier_min_update_interval_ms: 0 });
    const [first, second, third] = [
      placeOrder(world),
      placeOrder(world, { foreign: true }),
      placeOrder(world),
    ];
    await call('POST /orders-pull', { limit: 1 });
    await call('POST /orders-update', {
      ...batch(first, 'One', 'two'),
      external_id: 'S-1',
      external_price: 7,
    });
    await call(`PATCH /orders/${third}/last-process-time`);
    const before = readLedger(world);

    // The killed one is never closed: only what it had written when it answered counts.
    const killed = world;
    world = open({ stateFile });
    const { supplier_orders, claims, delivered_lines } = readLedger(world);
    expect({ supplier_orders, claims, delivered_lines }).toEqual({
      supplier_orders: before.supplier_orders,
      claims: before.claims,
      delivered_lines: before.delivered_lines,
    });
    expect(supplier_orders[0]).toMatchObject({ status: 'processing', external_id: 'S-1', external_price: 7 });
    expect(idsOf(await call('POST /orders-pull'))).toEqual([second]);
    await call('POST /orders-update', batch(first, 'ONE', 'two', 'three', 'four'));
    await call('POST /orders-update', batch(first, 'five'));
    expect(readLedger(world).delivered_lines.map(({ line }) => line)).toEqual(['One', 'two', 'three']);
    expect([first, second, third]).not.toContain(placeOrder(world));
    killed.close();

    const atTheSecond = readLedger(world);
    world.close();
    world = open({ stateFile });
    expect(readLedger(world)).toEqual({ ...atTheSecond, requests: [] });
  });
});
