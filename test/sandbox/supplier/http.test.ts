import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { type Answered, BASE, idsOf, KEY, parseAnswer, placeOrder, readLedger, steer } from './support.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ port: 0 });
  steer(sandbox.world, 'POST settings', { supplier_min_update_interval_ms: 0 });
});
afterEach(() => sandbox.close());

async function call(what: string, body?: unknown): Promise<Answered> {
  const [method = '', path = ''] = what.split(' ');
  const response = await fetch(`${sandbox.origin}${BASE}${path}`, {
    method,
    headers: { ...KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return parseAnswer(response.status, await response.text());
}

function update(order: string, accounts: readonly unknown[], more: Record<string, unknown> = {}) {
  return call('POST /orders-update', { order, status: 'partial', accounts, ...more });
}

function stored(): string[] {
  return readLedger(sandbox.world).delivered_lines.map(({ line }) => line);
}

describe('the loop of a worker', () => {
  it('claims, leases, delivers in rounds, closes', async () => {
    const order = placeOrder(sandbox.world, { quantity: 2 });
    expect(await call('POST /orders-pull', { limit: 50 })).toMatchObject({
      status: 200,
      body: {
        orders: [
          {
            id: order,
            quantity: 2,
            status: 'processing',
            paymentStatus: 'completed',
            productType: 'manual',
            lastProcessTime: null,
            external_id: null,
            external_price: null,
            deliveredCount: 0,
          },
        ],
      },
    });
    expect(await call(`PATCH /orders/${order}/last-process-time`, {})).toEqual({
      status: 200,
      body: { success: true },
    });
    expect(idsOf(await call('GET /orders?status=processing'))).toEqual([]);
    expect(
      await update(order, ['u1:p1'], { supplierOrderId: `SUP-${order}`, external_price: '1.5' }),
    ).toEqual({
      status: 200,
      body: { success: true },
    });
    await update(order, ['U1:P1\r\nu2:p2\nu3:p3'], { status: 'completed', external_price: '' });
    await call(`PATCH /orders/${order}/last-process-time`, { lastProcessTime: null });
    const { body } = await call('GET /orders?status=completed,error');
    expect(body).toMatchObject({
      orders: [
        {
          id: order,
          external_id: `SUP-${order}`,
          external_price: '1.5',
          deliveredCount: 2,
          status: 'completed',
        },
      ],
    });
    expect(stored()).toEqual(['u1:p1', 'u2:p2']);
  });

  it('may name the instant of its lease', async () => {
    const order = placeOrder(sandbox.world);
    const lease = (lastProcessTime: string) =>
      call(`PATCH /orders/${order}/last-process-time`, { lastProcessTime });
    await lease('2001-02-03T04:05:06+05:30');
    const { body } = await call('GET /orders');
    expect(body).toMatchObject({ orders: [{ lastProcessTime: '2001-02-02T22:35:06.000Z' }] });
  });

  it('delivers a large load by accounts-bulk, past the megabyte that bounds other bodies', async () => {
    const order = placeOrder(sandbox.world, { quantity: 20_000 });
    const accounts = Array.from({ length: 20_001 }, (_, n) => `user-${n}:${'x'.repeat(90)}`);
    const done = await call(`POST /orders/${order}/accounts-bulk`, { status: 'completed', accounts });
    expect(done).toEqual({ status: 200, body: { success: true } });
    expect(stored()).toEqual(accounts.slice(0, 20_000));
  });
});

describe('the codes', () => {
  it.each([
    [{ paymentStatus: 'pending' }, ['x'], 400, 'PAYMENT_NOT_COMPLETED'],
    [{ paymentStatus: 'refunded' }, ['x'], 400, 'PAYMENT_NOT_COMPLETED'],
    [{ foreign: true }, ['x'], 403, 'ACCESS_DENIED'],
    [{}, [' \r\n '], 400, 'INVALID_ACCOUNTS'],
  ])('an order %j given %j: %i %s', async (order, accounts, status, code) => {
    const answer = await update(placeOrder(sandbox.world, order), accounts);
    expect(answer).toMatchObject({ status, body: { error: code, message: expect.any(String) } });
    expect(stored()).toEqual([]);
  });

  it('says INVALID_ACCOUNTS in the words of the provider', async () => {
    const { body } = await update(placeOrder(sandbox.world), []);
    expect(body).toEqual({ error: 'INVALID_ACCOUNTS', message: 'No valid accounts provided' });
  });

  it('knows no order of another id, however it is spelled', async () => {
    for (const id of ['nobody', '..%2Forders', '%00', '1%3Fx=']) {
      expect(await call(`PATCH /orders/${id}/last-process-time`)).toMatchObject({
        status: 404,
        body: { error: 'ORDER_NOT_FOUND' },
      });
    }
    for (const what of [
      'GET /orders/1',
      'DELETE /orders',
      'POST /orders',
      'PATCH /orders/%E0/last-process-time',
    ]) {
      expect(await call(what)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
  });

  const order = 'a1';
  it.each([
    ['GET /orders?status=partial', undefined, 'status'],
    ['GET /orders?status=pending,partial', undefined, 'status'],
    ['GET /orders?paymentStatus=paid', undefined, 'paymentStatus'],
    ['GET /orders?productType=manual;auto', undefined, 'productType'],
    ['GET /orders?limit=501', undefined, 'limit'],
    ['GET /orders?limit=0', undefined, 'limit'],
    ['GET /orders?offset=-1', undefined, 'offset'],
    ['GET /orders?createdFrom=yesterday', undefined, 'createdFrom'],
    ['GET /orders?createdTo=2026-01-01T00:00:00', undefined, 'createdTo'],
    ['POST /orders-pull', { limit: 501 }, 'limit'],
    ['POST /orders-pull', { limit: '5' }, 'limit'],
    ['POST /orders-pull', '{"limit": 5', 'JSON'],
    ['POST /orders-pull', '[]', 'object'],
    ['PATCH /orders/a1/last-process-time', { lastProcessTime: 'now' }, 'lastProcessTime'],
    ['PATCH /orders/a1/last-process-time', { lastProcessTime: 0 }, 'lastProcessTime'],
    ['PATCH /orders/a1/last-process-time', { last_process_time: null }, 'lastProcessTime'],
    ['POST /orders-update', { status: 'partial', accounts: ['x'] }, 'order'],
    ['POST /orders-update', { order, accounts: ['x'] }, 'status'],
    ['POST /orders-update', { order, status: 'processing', accounts: ['x'] }, 'status'],
    ['POST /orders-update', { order, status: 'partial', accounts: ['x'], external_id: 7 }, 'external_id'],
    [
      'POST /orders-update',
      { order, status: 'partial', accounts: ['x'], external_price: {} },
      'external_price',
    ],
    ['POST /orders/a1/accounts-bulk', { status: 'done', accounts: ['x'] }, 'status'],
  ])('%s with %j is malformed, in words that name it', async (what, body, name) => {
    const answer = await call(what, body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
    expect(answer.body['message']).toContain(name);
  });
});

describe('reading', () => {
  it('leaves out what is not paid until asked, and takes lists, pages and bounds', async () => {
    const paid = placeOrder(sandbox.world);
    const partly = placeOrder(sandbox.world, { paymentStatus: 'partial', productType: 'auto' });
    const waiting = placeOrder(sandbox.world, { paymentStatus: 'pending', productType: 'inventory' });
    const list = async (query: string) => idsOf(await call(`GET /orders?${query}`));
    expect(await list('')).toEqual([paid, partly]);
    expect(await list('paymentStatus=pending')).toEqual([waiting]);
    expect(await list('paymentStatus=partial,pending&status=pending')).toEqual([partly, waiting]);
    expect(await list('productType=manual,auto')).toEqual([paid, partly]);
    expect(await list('productType=auto&entityType=account&subCategory=telegram')).toEqual([partly]);
    expect(await list('entityType=growth')).toEqual([]);
    expect(await list('limit=1&offset=1')).toEqual([partly]);
    expect(await list('createdFrom=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await list('createdTo=2999-01-01T00:00:00%2B05:30&unknown=1&limit=')).toEqual([paid, partly]);
  });
});

describe('faults', () => {
  function fault(body: Record<string, unknown>): void {
    expect(steer(sandbox.world, 'POST faults', body).status).toBe(200);
  }

  it('a connection reset before the effect has none; after it, the line is there and the resend adds nothing', async () => {
    const order = placeOrder(sandbox.world);
    fault({ kind: 'reset_before', match: { path: `${BASE}/orders-update` } });
    await expect(update(order, ['a'])).rejects.toThrow();
    expect(stored()).toEqual([]);
    fault({ kind: 'reset_after', match: { path: `${BASE}/orders-update` } });
    await expect(update(order, ['a'])).rejects.toThrow();
    expect(stored()).toEqual(['a']);
    expect((await update(order, ['a'])).status).toBe(200);
    expect(stored()).toEqual(['a']);
  });

  it('a pull whose answer is cut has claimed; the listing finds its orders', async () => {
    const order = placeOrder(sandbox.world);
    fault({ kind: 'half_body', match: { path: `${BASE}/orders-pull` } });
    await expect(call('POST /orders-pull')).rejects.toThrow();
    expect(idsOf(await call('POST /orders-pull'))).toEqual([]);
    expect(idsOf(await call('GET /orders?status=processing'))).toEqual([order]);
  });

  it('a made-up rate limit speaks the language of this API', async () => {
    fault({ kind: 'rate_limited', retry_after: 2 });
    expect(await call('GET /orders')).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMIT', retry_after_ms: 2000 },
    });
  });
});

describe('under load', () => {
  it('lets two of six requests at once through', async () => {
    steer(sandbox.world, 'POST settings', { supplier_processing_ms: 300 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('GET /orders')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429]);
  });

  it('spaces the updates of callers who wait as told, and the ledger proves it', async () => {
    steer(sandbox.world, 'POST settings', { supplier_min_update_interval_ms: 200 });
    const order = placeOrder(sandbox.world, { quantity: 30 });
    let refused = 0;
    async function deliver(line: string): Promise<void> {
      for (;;) {
        const { status, body } = await update(order, [line]);
        if (status === 200) return;
        expect(status).toBe(429);
        refused++;
        // Half a second instead of the five that CONCURRENCY_LIMIT asks for, to keep this test short.
        const ms = Math.min(500, Number(body['retry_after_ms']));
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }
    const lines = ['a', 'b', 'c', 'd'];
    await Promise.all(lines.map(deliver));
    expect(refused).toBeGreaterThan(0);
    expect(stored().sort()).toEqual(lines);

    const { requests, delivered_lines } = readLedger(sandbox.world);
    const done = requests.filter(({ status }) => status === 200);
    expect(delivered_lines.map(({ request }) => request)).toEqual(done.map(({ n }) => n));
    // From the start of one to the end of the next: the interval lies wholly between, however slow the machine is.
    for (const [n, { ended_at }] of done.slice(1).entries()) {
      expect(Date.parse(ended_at ?? '') - Date.parse(done[n]?.at ?? '')).toBeGreaterThanOrEqual(200);
    }
  });
});
