import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Depth, stepsOf } from './support/depth.ts';
import { type CrashWorld, eventually, LEASE_OVER, openWorld } from './support/world.ts';

const DELIVER = `mutation ($id: ID!, $lines: [String!]!) {
  deliverSupplierOrder(input: { orderId: $id, lines: $lines }) {
    __typename
    ... on DeliveryNotSent { reason }
    ... on DeliveryAccepted { order { status remaining } }
  }
}`;
const LOOK = `query ($id: ID!) {
  supplierOrder(id: $id) { status deliveredCount remaining deliveries { state } }
}`;

/** Rounds of two lines on one order, each killed at another step: never a line twice, none lost, closed only when full. */
export function crashesOfDeliveries(depth: Depth): void {
  const steps = stepsOf(
    depth,
    [
      { point: 'store.supplier.prepareDelivery:after', times: 1 },
      { point: 'supplier.sendDelivery:after', times: 2 },
    ],
    [
      { point: 'supplier.sendDelivery:before', times: 1 },
      { point: 'store.supplier.settleDelivery:before', times: 2 },
      { point: 'store.supplier.settleDelivery:after', times: 1 },
    ],
  );
  // One round for each step, and those of the tests around them.
  const quantity = 2 * (steps.length + 4);

  let world: CrashWorld;
  let id = '';
  const lines: string[] = [];

  beforeAll(async () => {
    world = await openWorld();
    const body = await world.control('supplier-orders', { quantity });
    id = z.object({ id: z.string() }).parse(body).id;
    await world.ask('mutation { pullSupplierOrders { id } }');
  });
  afterAll(() => world.close());
  // The supplier's spacing of 200 ms is over: an update refused for it would come twice, and be no fault.
  beforeEach(() => passed(250));

  function nextRound(): string[] {
    const round = [1, 2].map((offset) => `user${lines.length + offset}:secret`);
    lines.push(...round);
    return round;
  }
  const deliver = (round: readonly string[]) => world.ask(DELIVER, { id, lines: round });
  const sends = () => world.tap.requests.filter(({ path }) => path === '/api/admin/v2/orders-update');

  async function expectStored(): Promise<void> {
    const isFull = lines.length === quantity;
    const look = async () => {
      const { deliveries, ...order } = (await world.ask(LOOK, { id })).data.supplierOrder;
      return { ...order, open: deliveries.filter(({ state }: { state: string }) => state !== 'ACCEPTED') };
    };
    await eventually(look).toEqual({
      status: isFull ? 'COMPLETED' : 'PROCESSING',
      deliveredCount: lines.length,
      remaining: quantity - lines.length,
      open: [],
    });
    const { delivered_lines: stored, supplier_orders: orders } = await world.ledger();
    expect(stored.map(({ line }) => line)).toEqual(lines);
    expect(orders).toMatchObject([{ id, status: isFull ? 'completed' : 'processing' }]);
  }

  test('a round without a death', async () => {
    expect((await deliver(nextRound())).data.deliverSupplierOrder).toEqual({
      __typename: 'DeliveryAccepted',
      order: { status: 'PROCESSING', remaining: quantity - 2 },
    });
    await expectStored();
  });

  test('killed before it is stored: nothing has left, and the repetition delivers', async () => {
    const round = nextRound();
    const before = sends().length;
    await world.dieAt('store.supplier.prepareDelivery:before', () => deliver(round));
    await world.comeBack(LEASE_OVER);
    expect(sends()).toHaveLength(before);
    expect((await deliver(round)).data.deliverSupplierOrder.__typename).toBe('DeliveryAccepted');
    await expectStored();
  });

  test.each(steps)(
    'killed at $point: sent again by itself, byte for byte, and stored once',
    async ({ point, times }) => {
      const round = nextRound();
      const before = sends().length;
      await world.dieAt(point, () => deliver(round));
      await world.comeBack(LEASE_OVER);
      await expectStored();
      const bodies = sends()
        .slice(before)
        .map(({ body }) => body);
      expect(bodies).toEqual(Array.from({ length: times }, () => bodies[0]));
      expect(bodies[0]).toContain(round[0]);
      // Who did not hear the answer asks again, and nothing is sent for it.
      expect((await deliver(round)).data.deliverSupplierOrder).toEqual({
        __typename: 'DeliveryNotSent',
        reason: 'NOTHING_TO_SEND',
      });
      expect(sends().slice(before)).toHaveLength(times);
    },
  );

  test('killed in flight; the repetition, before the lease is over, is told that it is pending', async () => {
    const round = nextRound();
    await world.control('faults', { kind: 'delay', ms: 300, match: { path: '/api/admin/v2/orders-update' } });
    const left = world.tap.next('POST', '/api/admin/v2/orders-update');
    const asking = deliver(round).catch(() => undefined);
    await left;
    world.gateway.signal('SIGKILL');
    await asking;
    await eventually(async () => (await world.ledger()).delivered_lines).toHaveLength(lines.length);
    await world.comeBack(0);
    // The listing tells of lines that this gateway does not know to be its own yet.
    await world.ask('{ supplierOrders { nodes { id } } }');
    expect((await deliver(round)).data.deliverSupplierOrder.__typename).toBe('DeliveryPending');
    await world.skip(LEASE_OVER);
    await expectStored();
  });

  test('the last round closes the order, and dies before anybody is told', async () => {
    await world.dieAt('supplier.sendDelivery:after', () => deliver(nextRound()));
    await world.comeBack(LEASE_OVER);
    expect(lines).toHaveLength(quantity);
    await expectStored();
  });
}
