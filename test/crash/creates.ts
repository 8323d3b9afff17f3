import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Depth, stepsOf } from './support/depth.ts';
import { type CrashWorld, eventually, LEASE_OVER, openWorld } from './support/world.ts';

const CREATE = `mutation ($job: String!, $product: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product }) {
    __typename
    attempt { idempotencyKey }
    ... on CreateOrderResolved { orders { id amount } }
  }
}`;
const ATTEMPT = `query ($job: String!) {
  createAttempt(businessJobId: $job) { state sends idempotencyKey orders { id amount } events { state reason } }
  viewer { budget { spent reserved } }
}`;
/** A paid create, killed at every step (A). */
export function crashesOfCreates(depth: Depth): void {
  let world: CrashWorld;
  let spent = 0;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const create = (job: string) => world.ask(CREATE, { job, product: world.product });
  const look = async (job: string) => (await world.ask(ATTEMPT, { job })).data;

  const sent = (key: string) => world.tap.requests.filter((request) => request.key === key);

  /** One charge, one budget entry, the same bytes under the same key each time, and an answer for who asks again. */
  async function expectOneOrder(job: string): Promise<void> {
    await eventually(async () => (await look(job)).createAttempt?.state).toBe('RESOLVED');
    const { createAttempt: attempt, viewer } = await look(job);
    expect(attempt.orders).toHaveLength(1);
    const [order] = attempt.orders;

    const { charges } = await world.ledger();
    const ours = charges.filter((charge) => charge.idempotency_key === attempt.idempotencyKey);
    expect(ours).toMatchObject([{ order_id: Number(order.id), amount: order.amount }]);

    const requests = sent(attempt.idempotencyKey);
    expect(new Set(requests.map(({ body }) => body))).toEqual(
      new Set([`{"catalog_product_id":${world.product},"quantity":1}`]),
    );
    // Written down before it leaves: never fewer than were seen.
    expect(attempt.sends).toBeGreaterThanOrEqual(requests.length);

    spent += order.amount;
    expect(viewer.budget).toEqual({ spent, reserved: 0 });

    const again = await create(job);
    expect(again.data.createOrder).toMatchObject({
      __typename: 'CreateOrderResolved',
      attempt: { idempotencyKey: attempt.idempotencyKey },
      orders: [{ id: order.id }],
    });
    expect(sent(attempt.idempotencyKey)).toHaveLength(requests.length);
    expect(charges).toHaveLength((await world.ledger()).charges.length);
  }

  test('killed before the attempt is stored: nothing has left, and the retry starts cleanly', async () => {
    const job = 'before the attempt';
    const before = world.tap.requests.length;
    await world.dieAt('store.attempts.prepare:before', () => create(job));
    expect(world.tap.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    await world.comeBack(LEASE_OVER);
    expect((await look(job)).createAttempt).toBeNull();
    expect((await create(job)).data.createOrder.__typename).toBe('CreateOrderResolved');
    await expectOneOrder(job);
  });

  test('killed while another holds the file: what could not be stored has not left', async () => {
    const job = 'held up';
    const before = world.tap.requests.length;
    const letGo = world.holdDatabase();
    const asking = create(job).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
    world.gateway.signal('SIGKILL');
    await asking;
    letGo();
    expect(world.tap.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    await world.comeBack(LEASE_OVER);
    expect((await look(job)).createAttempt).toBeNull();
  });

  const lostSends = stepsOf(
    depth,
    [
      { point: 'store.attempts.prepare:after', sends: 1 },
      { point: 'numbers.sendPaid:after', sends: 2 },
    ],
    [
      { point: 'numbers.sendPaid:before', sends: 1 },
      { point: 'store.attempts.settle:before', sends: 2 },
    ],
  );
  test.each(lostSends)(
    'killed at $point, it is sent again after the lease and charged once',
    async ({ point, sends }) => {
      const job = `killed at ${point}`;
      await world.dieAt(point, () => create(job));
      await world.comeBack(LEASE_OVER);
      await expectOneOrder(job);
      const { createAttempt: attempt } = await look(job);
      expect(attempt.sends).toBe(2);
      expect(sent(attempt.idempotencyKey)).toHaveLength(sends);
      expect(attempt.events).toEqual([
        { state: 'PREPARED', reason: null },
        { state: 'SENDING', reason: null },
        { state: 'NEEDS_RECONCILIATION', reason: 'SENDER_LOST' },
        { state: 'SENDING', reason: null },
        { state: 'RESOLVED', reason: null },
      ]);
    },
  );

  test('killed after the bytes left and before the answer', async () => {
    const job = 'in flight';
    await world.control('faults', { kind: 'delay', ms: 300, match: { path: '/v1/orders/create' } });
    const left = world.tap.next('POST', '/v1/orders/create');
    const asking = create(job).catch(() => undefined);
    await left;
    world.gateway.signal('SIGKILL');
    await asking;
    await world.comeBack(LEASE_OVER);
    await expectOneOrder(job);
  });

  test('killed when the outcome is written down: the retry is told, and nothing is sent', async () => {
    const job = 'settled';
    await world.dieAt('store.attempts.settle:after', () => create(job));
    await world.comeBack(LEASE_OVER);
    await expectOneOrder(job);
    const { createAttempt: attempt } = await look(job);
    expect(attempt.sends).toBe(1);
    expect(sent(attempt.idempotencyKey)).toHaveLength(1);
  });

  if (depth === 'main') return;
  test('killed again and again while it is replayed', async () => {
    const job = 'again and again';
    await world.dieAt('store.attempts.prepare:after', () => create(job));
    for (const point of [
      'store.attempts.take:before',
      'store.attempts.take:after',
      'numbers.sendPaid:after',
      'store.attempts.settle:before',
    ]) {
      await world.comeBackAndDieAt(point, LEASE_OVER);
    }
    await world.comeBack(LEASE_OVER);
    await expectOneOrder(job);
    const { createAttempt: attempt } = await look(job);
    // The first and four takes; one of the four died before it was one.
    expect(attempt.sends).toBe(5);
    expect(sent(attempt.idempotencyKey)).toHaveLength(3);
  });

  test('killed at the one read of an order without a number', async () => {
    const job = 'no number yet';
    await world.control('settings', { number_delay_seconds: 0.5 });
    await world.dieAt('numbers.order:after', () => create(job));
    await world.control('settings', { number_delay_seconds: 0 });
    // Nobody creates again for it: the poller finds the number.
    await world.comeBack(LEASE_OVER, { env: { POLL_INTERVAL_SECONDS: '1' } });
    const attempt = async () => {
      const { data } = await world.ask(
        `{ createAttempt(businessJobId: "${job}") { sends orders { phoneNumber } } }`,
      );
      return data.createAttempt;
    };
    await eventually(attempt).toMatchObject({
      sends: 1,
      orders: [{ phoneNumber: expect.stringMatching(/^\+/) }],
    });
    await expectOneOrder(job);
  });
}
