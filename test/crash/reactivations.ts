import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Depth, stepsOf } from './support/depth.ts';
import { type CrashWorld, eventually, LEASE_OVER, openWorld } from './support/world.ts';

const CREATE = `mutation ($product: Int!) {
  createOrder(input: { businessJobId: "parents", catalogProductId: $product, quantity: 4 }) {
    ... on CreateOrderResolved { orders { id phoneNumber } }
  }
}`;
const REACTIVATE = `mutation ($job: String!, $orderId: ID!) {
  reactivateOrder(input: { businessJobId: $job, orderId: $orderId, maxCost: 100000 }) {
    __typename
    attempt { idempotencyKey }
    ... on CreateOrderResolved { orders { id } }
  }
}`;
const ATTEMPT = `query ($job: String!) {
  createAttempt(businessJobId: $job) {
    kind state sends idempotencyKey
    sourceOrder { id }
    orders { id amount phoneNumber reactivatedFrom { id } }
  }
  viewer { budget { spent reserved } }
}`;

/** A reactivation charges as a create does, by another endpoint, and CONFLICT on its replay proves nothing. */
export function crashesOfReactivations(depth: Depth): void {
  let world: CrashWorld;
  let parents: { readonly id: string; readonly phoneNumber: string }[] = [];

  beforeAll(async () => {
    world = await openWorld();
    const created = await world.ask(CREATE, { product: world.product });
    parents = created.data.createOrder.orders;
    for (const { id } of parents) {
      await world.control('sms', { order_id: Number(id), message: 'Your code is 482913' });
      const finished = await world.ask('mutation ($id: ID!) { finishOrder(orderId: $id) { __typename } }', {
        id,
      });
      expect(finished.data.finishOrder.__typename).toBe('FinishReceipt');
    }
  });
  afterAll(() => world.close());

  const look = async (job: string) => (await world.ask(ATTEMPT, { job })).data;
  const spent = async (): Promise<number> =>
    (await world.ask('{ viewer { budget { spent } } }')).data.viewer.budget.spent;

  async function expectOneRental(job: string, parent: (typeof parents)[number], before: number) {
    await eventually(async () => (await look(job)).createAttempt?.state).toBe('RESOLVED');
    const { createAttempt: attempt, viewer } = await look(job);
    expect(attempt).toMatchObject({
      kind: 'REACTIVATE',
      sourceOrder: { id: parent.id },
      orders: [{ phoneNumber: parent.phoneNumber, reactivatedFrom: { id: parent.id } }],
    });
    const [order] = attempt.orders;
    const { charges } = await world.ledger();
    const ours = charges.filter((charge) => charge.idempotency_key === attempt.idempotencyKey);
    expect(ours).toMatchObject([
      { operation: 'reactivate', order_id: Number(order.id), amount: order.amount },
    ]);
    const requests = world.tap.requests.filter(({ key }) => key === attempt.idempotencyKey);
    expect(requests.map(({ path }) => path)).toEqual(requests.map(() => '/v1/orders/reactivate'));
    expect(new Set(requests.map(({ body }) => body))).toEqual(
      new Set([`{"id":${parent.id},"max_price":100000}`]),
    );
    expect(viewer.budget).toEqual({ spent: before + order.amount, reserved: 0 });

    const again = await world.ask(REACTIVATE, { job, orderId: parent.id });
    expect(again.data.reactivateOrder).toMatchObject({
      __typename: 'CreateOrderResolved',
      orders: [{ id: order.id }],
    });
    expect(world.tap.requests.filter(({ key }) => key === attempt.idempotencyKey)).toEqual(requests);
    return requests.length;
  }

  const steps = stepsOf(
    depth,
    [{ point: 'numbers.sendPaid:after', sends: 2 }],
    [
      { point: 'store.attempts.prepare:after', sends: 1 },
      { point: 'store.attempts.settle:after', sends: 1 },
    ],
  );
  test.each(steps)('killed at $point: one rental, one charge', async ({ point, sends }) => {
    const parent = parents.pop();
    if (parent === undefined) throw new Error('there are too few parents');
    const before = await spent();
    const job = `again, killed at ${point}`;
    await world.dieAt(point, () => world.ask(REACTIVATE, { job, orderId: parent.id }));
    await world.comeBack(LEASE_OVER);
    expect(await expectOneRental(job, parent, before)).toBe(sends);
  });

  test('killed in flight: the replay meets the echo of its own first send, and is not rejected by it', async () => {
    const parent = parents.pop();
    if (parent === undefined) throw new Error('there are too few parents');
    const before = await spent();
    const job = 'again, killed in flight';
    await world.control('faults', { kind: 'delay', ms: 300, match: { path: '/v1/orders/reactivate' } });
    const left = world.tap.next('POST', '/v1/orders/reactivate');
    const asking = world.ask(REACTIVATE, { job, orderId: parent.id }).catch(() => undefined);
    await left;
    world.gateway.signal('SIGKILL');
    await asking;
    // The provider answers the replay as if it knew nothing of the key: the parent has a rental, so it is a conflict.
    const conflict = { success: false, error: { code: 'CONFLICT', message: 'reactivated already' } };
    await world.control('faults', {
      kind: 'status',
      status: 409,
      body: conflict,
      match: { path: '/v1/orders/reactivate' },
    });
    await world.comeBack(LEASE_OVER);
    expect(await expectOneRental(job, parent, before)).toBe(3);
  });
}
