import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { OrderSnapshot } from '../../../src/domain/orders/order.ts';
import { closeAttempt } from '../../../src/flows/orders/close-attempt.ts';
import type { NumbersApi, ReadReply, UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { haveOrders, made, ofAlice, ofAll } from '../../support/gateway.ts';
import { alice, bob, byAlice, evidence, job, moment, orderId } from '../../support/values.ts';
import { attemptOf, openCreating, outcomeIn, sendsOf } from '../support/creating.ts';

const notFound: UpstreamFault = { kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' };

/** Job 1, for two orders, is held in review; the provider knows the orders 7 and 8. */
async function open(order: NumbersApi['order'] = knownUpstream) {
  const gateway = await openCreating({ sendPaid: async () => ({ kind: 'transport' }), order });
  await gateway.create({ reviewThresholdAt: moment(1_000), quantity: 2 });
  await gateway.clock.pass(1_000);
  const { id } = await attemptOf(gateway);
  await gateway.store.attempts.take(id, 'token');
  const closeWith = (orderIds: readonly OrderId[], note = 'seen in the list') =>
    gateway.clock.until(
      closeAttempt(gateway.deps, { caller: alice, businessJobId: job('job-1'), orderIds, note }, byAlice),
    );
  return { ...gateway, closeWith };
}

async function knownUpstream(id: OrderId): Promise<ReadReply<OrderSnapshot>> {
  return id === 7 || id === 8 ? { kind: 'read', value: made({ id }), readAt: moment(2_000) } : notFound;
}

describe('closing an attempt that is held for a person', () => {
  it('with the orders found adopts them, books what they cost, and frees the reserve', async () => {
    const gateway = await open();
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 10_000 });
    expect(await gateway.closeWith([orderId(7), orderId(8)])).toMatchObject({
      kind: 'closed',
      attempt: { state: 'CLOSED', reserved: 0 },
    });
    expect(await gateway.store.orders.find(ofAlice, orderId(8))).toMatchObject({ owner: alice });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 10_000, reserved: 0 });
    expect(outcomeIn(await gateway.create({ reviewThresholdAt: moment(1_000), quantity: 2 }))).toMatchObject({
      kind: 'CreateOrderResolved',
      orders: [{ id: 7 }, { id: 8 }],
      failedCount: 0,
    });
    expect(gateway.counts.get('attemptReached CLOSED')).toBe(1);
  });

  it('with none found frees the reserve, and buys nothing', async () => {
    const gateway = await open();
    expect(await gateway.closeWith([])).toMatchObject({ kind: 'closed' });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 0 });
    expect(sendsOf(gateway)).toBe(1);
    expect(gateway.upstream.count('order')).toBe(0);
  });

  it('keeps the note in the history', async () => {
    const gateway = await open();
    await gateway.closeWith([], 'asked the support');
    const { id } = await attemptOf(gateway);
    expect((await gateway.store.attempts.events(id, 0)).at(-1)).toMatchObject({
      state: 'CLOSED',
      note: 'asked the support',
    });
  });

  it('twice with the same finding changes nothing', async () => {
    const gateway = await open();
    const first = await gateway.closeWith([orderId(7)]);
    const events = (await gateway.store.attempts.events((await attemptOf(gateway)).id, 0)).length;
    expect(await gateway.closeWith([orderId(7), orderId(7)])).toEqual(first);
    expect((await gateway.store.attempts.events((await attemptOf(gateway)).id, 0)).length).toBe(events);
    expect(gateway.upstream.count('order')).toBe(1);
  });

  it('twice with another finding is refused', async () => {
    const gateway = await open();
    await gateway.closeWith([orderId(7)]);
    for (const other of [[], [orderId(8)], [orderId(7), orderId(8)]]) {
      expect(await gateway.closeWith(other)).toMatchObject({
        kind: 'not-in-review',
        attempt: { state: 'CLOSED' },
      });
    }
  });

  it('counts an order named twice once', async () => {
    const gateway = await open();
    expect(await gateway.closeWith([orderId(7), orderId(7), orderId(8)])).toMatchObject({ kind: 'closed' });
  });

  it('brings what webhooks told of its orders before', async () => {
    const gateway = await open();
    await gateway.store.orders.record(made({ status: 'OTP_RECEIVED', evidence: evidence(1) }), moment(500));
    expect(await gateway.store.orders.messages(ofAlice, orderId(7), -1, 9)).toEqual([]);
    await gateway.closeWith([orderId(7)]);
    expect(await gateway.store.orders.messages(ofAlice, orderId(7), -1, 9)).toMatchObject([{ revision: 1 }]);
  });

  it.each<[string, readonly number[], object]>([
    ['more orders than were asked for', [7, 8, 9], { kind: 'too-many-orders', quantity: 2 }],
    [
      'an order that the provider does not know',
      [7, 9],
      { kind: 'order-unusable', orderId: 9, why: 'unknown-upstream' },
    ],
    ['an order of another attempt', [7, 6], { kind: 'order-unusable', orderId: 6, why: 'taken' }],
  ])('with %s is refused as a whole', async (_, ids, expected) => {
    const gateway = await open(async (id) =>
      id === 6 ? { kind: 'read', value: made({ id }), readAt: moment(2_000) } : knownUpstream(id),
    );
    await haveOrders(gateway.store, made({ id: orderId(6) }));
    expect(await gateway.closeWith(ids.map(orderId))).toEqual(expected);
    expect((await attemptOf(gateway)).state).toBe('OPERATOR_REVIEW');
    expect((await gateway.store.orders.find(ofAll, orderId(7)))?.owner ?? null).toBeNull();
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 5_000, reserved: 10_000 });
  });

  it('waits for a provider that does not answer', async () => {
    const fault: UpstreamFault = { kind: 'unavailable', httpStatus: null, retryAfterSeconds: null };
    const gateway = await open(async () => fault);
    expect(await gateway.closeWith([orderId(7)])).toEqual({ kind: 'fault', fault });
    expect((await attemptOf(gateway)).state).toBe('OPERATOR_REVIEW');
  });
});

describe('closing what is not held', () => {
  it('is refused where there is no such job', async () => {
    const gateway = await open();
    const finding = { caller: bob, businessJobId: job('job-1'), orderIds: [], note: 'x' };
    expect(await closeAttempt(gateway.deps, finding, byAlice)).toEqual({ kind: 'no-attempt' });
  });

  it('is refused while the gateway itself may still find out', async () => {
    const gateway = await openCreating({ sendPaid: async () => ({ kind: 'transport' }) });
    await gateway.create();
    const finding = { caller: alice, businessJobId: job('job-1'), orderIds: [], note: 'x' };
    expect(await closeAttempt(gateway.deps, finding, byAlice)).toMatchObject({
      kind: 'not-in-review',
      attempt: { state: 'NEEDS_RECONCILIATION', reserved: 5_000 },
    });
  });
});
