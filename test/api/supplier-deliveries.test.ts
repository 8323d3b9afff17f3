import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RESEND_AFTER } from '../../src/domain/supplier/delivery.ts';
import { createMovableClock } from '../crash/support/movable-clock.ts';
import { codeOf, startGateway, type TestGateway, until } from './support/gateway.ts';

const PLAN = `query ($id: ID!, $lines: [String!]!) {
  deliveryPlan(orderId: $id, lines: $lines) { received fresh blank duplicate overflow remainingAfter }
}`;
const DELIVER = `mutation ($input: DeliverSupplierOrderInput!) {
  deliverSupplierOrder(input: $input) {
    __typename
    plan { received fresh blank duplicate overflow remainingAfter }
    ... on DeliveryAccepted { order { status deliveredCount remaining externalId externalPrice } }
    ... on DeliveryPending { delivery { id state attempts lastError } }
    ... on DeliveryRejected { code message }
    ... on DeliveryNotSent { reason }
  }
}`;
const LOOK = `query ($id: ID!) {
  supplierOrder(id: $id) { status deliveredCount remaining deliveries { state status lines attempts lastError } }
}`;
const UPDATE = '/api/admin/v2/orders-update';

const clock = createMovableClock(0);
let gateway: TestGateway;
let seller = '';
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' }, { clock });
  seller = (await gateway.makeKey('seller', ['SUPPLIER'])).key;
});
afterAll(() => gateway.close());

/** An order that is claimed. */
async function claimed(quantity: number, more: Record<string, unknown> = {}): Promise<string> {
  const placed = await gateway.control('supplier-orders', { quantity, ...more });
  const { id } = z.object({ id: z.string() }).parse(placed);
  await gateway.ask('mutation { pullSupplierOrders { id } }', {}, seller);
  return id;
}
const deliver = async (orderId: string, lines: readonly string[], more: Record<string, unknown> = {}) =>
  (await gateway.ask(DELIVER, { input: { orderId, lines, ...more } }, seller)).body.data.deliverSupplierOrder;
const look = async (id: string) => (await gateway.ask(LOOK, { id }, seller)).body.data.supplierOrder;

const ledgerSchema = z.object({
  delivered_lines: z.array(z.object({ order_id: z.string(), line: z.string() })),
  requests: z.array(z.object({ path: z.string(), body: z.unknown() })),
});
async function storedFor(id: string): Promise<string[]> {
  const { delivered_lines: lines } = ledgerSchema.parse(await gateway.control('ledger'));
  return lines.filter(({ order_id }) => order_id === id).map(({ line }) => line);
}
async function bodiesFor(id: string): Promise<unknown[]> {
  const { requests } = ledgerSchema.parse(await gateway.control('ledger'));
  return requests
    .filter(({ path, body }) => path === UPDATE && JSON.stringify(body).includes(id))
    .map(({ body }) => body);
}

test('half a character is refused by the plan as by the delivery', async () => {
  const id = await claimed(1);
  const lines = ['whole', 'half \ud800'];
  for (const answer of [
    await gateway.ask(PLAN, { id, lines }, seller),
    await gateway.ask(DELIVER, { input: { orderId: id, lines } }, seller),
  ]) {
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', field: 'lines' });
  }
  expect(await bodiesFor(id)).toEqual([]);
});

test('a plan tells what the API would do silently, and sends nothing', async () => {
  const id = await claimed(3);
  const { body } = await gateway.ask(
    PLAN,
    { id, lines: ['one', ' ONE ', '', 'two\r\nthree\n', 'four', '   '] },
    seller,
  );
  expect(body.data.deliveryPlan).toEqual({
    received: 7,
    fresh: ['one', 'two', 'three'],
    blank: 2,
    duplicate: ['ONE'],
    overflow: ['four'],
    remainingAfter: 0,
  });
  expect(await bodiesFor(id)).toEqual([]);
  expect(codeOf(await gateway.ask(PLAN, { id: 'never seen', lines: ['a'] }, seller))).toBe('NOT_FOUND');
});

describe('deliverSupplierOrder', () => {
  test('delivers in rounds: partial while something is owed, completed when it is full', async () => {
    const id = await claimed(3);
    expect(await deliver(id, ['a:1'], { externalId: 'mine', externalPrice: '1.50' })).toMatchObject({
      __typename: 'DeliveryAccepted',
      plan: { fresh: ['a:1'], remainingAfter: 2 },
      order: {
        status: 'PROCESSING',
        deliveredCount: 1,
        remaining: 2,
        externalId: 'mine',
        externalPrice: '1.50',
      },
    });
    expect(await deliver(id, ['A:1', 'b:2', 'c:3'])).toMatchObject({
      plan: { fresh: ['b:2', 'c:3'], duplicate: ['A:1'], remainingAfter: 0 },
      order: { status: 'COMPLETED', deliveredCount: 3, remaining: 0 },
    });
    expect(await storedFor(id)).toEqual(['a:1', 'b:2', 'c:3']);
    expect(await bodiesFor(id)).toMatchObject([{ status: 'partial' }, { status: 'completed' }]);
    expect((await look(id)).deliveries).toMatchObject([
      { state: 'ACCEPTED', status: 'PARTIAL', lines: 1, attempts: 1 },
      { state: 'ACCEPTED', status: 'COMPLETED', lines: 2 },
    ]);
    expect(await deliver(id, ['d:4'])).toMatchObject({ __typename: 'DeliveryNotSent', reason: 'OVERFLOW' });
    expect(await deliver(id, ['a:1', ''])).toMatchObject({ reason: 'NOTHING_TO_SEND' });
    expect(await bodiesFor(id)).toHaveLength(2);
  });

  test('lines over the quantity: refused as a whole, or sent as far as they fit', async () => {
    const id = await claimed(2);
    expect(await deliver(id, ['a', 'b', 'c'])).toMatchObject({
      __typename: 'DeliveryNotSent',
      reason: 'OVERFLOW',
      plan: { fresh: ['a', 'b'], overflow: ['c'] },
    });
    expect(await storedFor(id)).toEqual([]);
    expect(await deliver(id, ['a', 'b', 'c'], { overflow: 'SEND_WHAT_FITS' })).toMatchObject({
      __typename: 'DeliveryAccepted',
      plan: { fresh: ['a', 'b'], overflow: ['c'] },
      order: { status: 'COMPLETED' },
    });
    expect(await storedFor(id)).toEqual(['a', 'b']);
  });

  test('a status that is given is sent; with lines that are there already it closes what is full', async () => {
    const id = await claimed(2);
    expect(await deliver(id, ['a', 'b'], { status: 'PARTIAL' })).toMatchObject({
      order: { status: 'PROCESSING', remaining: 0 },
    });
    expect(await deliver(id, ['a'], { status: 'COMPLETED' })).toMatchObject({
      __typename: 'DeliveryAccepted',
      order: { status: 'COMPLETED', deliveredCount: 2 },
    });
    expect(await storedFor(id)).toEqual(['a', 'b']);
  });

  test.each(['RATE_LIMIT', 'ORDER_DELIVERY_BUSY', 'CONCURRENCY_LIMIT'])(
    'told to wait by %s, it waits as long and sends the very same',
    async (error) => {
      const id = await claimed(1);
      const body = { error, message: 'wait', retry_after_ms: 400 };
      await gateway.control('faults', { kind: 'status', status: 429, body, match: { path: UPDATE } });
      const startedAt = Date.now();
      expect(await deliver(id, ['a'])).toMatchObject({ __typename: 'DeliveryAccepted' });
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(400);
      const bodies = await bodiesFor(id);
      expect(bodies).toEqual([bodies[0], bodies[0]]);
      expect(await storedFor(id)).toEqual(['a']);
    },
  );

  test('cut off, it is pending; the same again says so, another has to wait, and it settles by itself', async () => {
    const id = await claimed(4);
    await gateway.control('faults', { kind: 'reset_after', match: { path: UPDATE } });
    const pending = await deliver(id, ['a', 'b']);
    expect(pending).toMatchObject({
      __typename: 'DeliveryPending',
      delivery: { state: 'PENDING', attempts: 1, lastError: expect.any(String) },
    });
    expect(await deliver(id, ['a', 'b'])).toMatchObject({
      __typename: 'DeliveryPending',
      plan: { fresh: ['a', 'b'], remainingAfter: 2 },
      delivery: { id: pending.delivery.id },
    });
    expect(await deliver(id, ['c'])).toMatchObject({
      __typename: 'DeliveryNotSent',
      reason: 'PREVIOUS_DELIVERY_PENDING',
    });
    // Its lines are stored upstream, and a listing has them counted: it is the same request all the same.
    await gateway.ask('{ supplierOrders { nodes { id } } }', {}, seller);
    expect((await look(id)).deliveredCount).toBe(2);
    expect(await deliver(id, ['a', 'b'])).toMatchObject({ __typename: 'DeliveryPending' });

    clock.skip(RESEND_AFTER);
    await until('it is settled', async () => (await look(id)).deliveries[0].state === 'ACCEPTED');
    expect(await look(id)).toMatchObject({ deliveredCount: 2, remaining: 2 });
    // Sent again byte for byte; a resend that the supplier finds too early comes once more.
    const [first, ...again] = await bodiesFor(id);
    expect(again.length).toBeGreaterThan(0);
    for (const body of again) expect(body).toEqual(first);
    expect(await storedFor(id)).toEqual(['a', 'b']);
    expect(await deliver(id, ['c', 'd'])).toMatchObject({ order: { status: 'COMPLETED' } });
  });

  test('an order that is not ours, and one that is not paid, are refused for good', async () => {
    const foreign = await claimed(1, { foreign: true });
    expect(await deliver(foreign, ['a'])).toMatchObject({
      __typename: 'DeliveryRejected',
      code: 'ACCESS_DENIED',
    });
    const placed = await gateway.control('supplier-orders', { quantity: 1, paymentStatus: 'pending' });
    const { id: unpaid } = z.object({ id: z.string() }).parse(placed);
    // Never claimed: a listing alone has told of it.
    expect(codeOf(await gateway.ask(DELIVER, { input: { orderId: unpaid, lines: ['a'] } }, seller))).toBe(
      'NOT_FOUND',
    );
    await gateway.ask(
      '{ supplierOrders(filter: { paymentStatuses: [PENDING] }) { nodes { id } } }',
      {},
      seller,
    );
    expect(await deliver(unpaid, ['a'])).toMatchObject({
      __typename: 'DeliveryRejected',
      code: 'PAYMENT_NOT_COMPLETED',
      message: expect.any(String),
    });
    for (const id of [foreign, unpaid]) {
      expect(await bodiesFor(id)).toHaveLength(1);
      expect((await look(id)).deliveries).toMatchObject([{ state: 'REJECTED', attempts: 1 }]);
    }
  });

  test('two at once on one order: one is delivered, the other told to wait or delivered after it', async () => {
    const id = await claimed(2);
    const outcomes = await Promise.all([deliver(id, ['a']), deliver(id, ['b'])]);
    const accepted = outcomes.filter(({ __typename }) => __typename === 'DeliveryAccepted').length;
    expect(accepted).toBeGreaterThanOrEqual(1);
    for (const { __typename, reason } of outcomes) {
      if (__typename !== 'DeliveryAccepted') expect(reason).toBe('PREVIOUS_DELIVERY_PENDING');
    }
    expect(await storedFor(id)).toHaveLength(accepted);
  });

  test.each([
    ['externalId', { externalId: 'x'.repeat(201) }],
    ['externalPrice', { externalPrice: 'a\nb' }],
  ])('%s that is no reference is refused with its field', async (field, more) => {
    const id = await claimed(1);
    const answer = await gateway.ask(DELIVER, { input: { orderId: id, lines: ['a'], ...more } }, seller);
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field });
    expect(await bodiesFor(id)).toEqual([]);
  });

  test('no line gets into the log', () => {
    expect(gateway.log.join('')).not.toMatch(/a:1|b:2|c:3/);
  });
});

test('supplierStatistics counts what was claimed, and how fast it was completed', async () => {
  const since = new Date(clock.now()).toISOString();
  const done = await claimed(1);
  await claimed(1);
  await deliver(done, ['z']);
  const { body } = await gateway.ask(
    `{ supplierStatistics(since: "${since}") { orders secondsToComplete { p50 max } withinTenMinutes overOneDay } }`,
    {},
    seller,
  );
  expect(body.data.supplierStatistics).toEqual({
    orders: 2,
    secondsToComplete: { p50: expect.any(Number), max: expect.any(Number) },
    withinTenMinutes: expect.any(Number),
    overOneDay: 0,
  });
});
