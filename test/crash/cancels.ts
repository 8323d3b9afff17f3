import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../src/domain/time.ts';
import { type Depth, stepsOf } from './support/depth.ts';
import { type CrashWorld, eventually, openWorld } from './support/world.ts';

const CREATE = `mutation ($product: Int!) {
  createOrder(input: { businessJobId: "to be canceled", catalogProductId: $product, quantity: 8 }) {
    ... on CreateOrderResolved { orders { id amount } }
  }
}`;
const CANCEL = `mutation ($id: ID!) {
  cancelOrder(orderId: $id) {
    __typename
    ... on CancelReceipt { refundAmount order { status } }
    ... on CancelSkipped { order { status } }
  }
}`;
const LOOK = 'query ($id: ID!) { order(id: $id) { status } viewer { budget { spent } } }';
/** Who holds an action holds it for two minutes. */
const ACTION_OVER = 121 * SECOND;

/** A cancel is sent once and never repeated; what it gave back is booked once, receipt or none. */
export function crashesOfCancels(depth: Depth): void {
  let world: CrashWorld;
  let orders: { readonly id: string; readonly amount: number }[] = [];

  beforeAll(async () => {
    world = await openWorld();
    const created = await world.ask(CREATE, { product: world.product });
    orders = created.data.createOrder.orders;
  });
  afterAll(() => world.close());

  function nextOrder() {
    const order = orders.pop();
    if (order === undefined) throw new Error('there are too few orders');
    return order;
  }
  const cancel = (id: string) => world.ask(CANCEL, { id });
  const cancelsSent = (id: string) =>
    world.tap.requests.filter(({ path, body }) => path === '/v1/orders/cancel' && body === `{"id":${id}}`);

  const spentOnOpen = (): number => orders.reduce((sum, { amount }) => sum + amount, 0);

  async function expectCanceledOnce(order: { readonly id: string; readonly amount: number }): Promise<void> {
    await eventually(async () => (await world.ask(LOOK, { id: order.id })).data).toEqual({
      order: { status: 'CANCELED' },
      viewer: { budget: { spent: spentOnOpen() } },
    });
    const { refunds } = await world.ledger();
    const { id, amount } = order;
    expect(refunds.filter((refund) => refund.order_id === Number(id))).toEqual([
      expect.objectContaining({ order_id: Number(id), amount }),
    ]);
    expect(cancelsSent(id)).toHaveLength(1);
  }

  const before = stepsOf(
    depth,
    ['numbers.cancel:before'],
    ['store.actions.begin:after', 'numbers.order:after'],
  );
  test.each(before)('killed at %s, before anything left: asked again, it is done then', async (point) => {
    const order = nextOrder();
    await world.dieAt(point, () => cancel(order.id));
    await world.comeBack(ACTION_OVER);
    expect(cancelsSent(order.id)).toEqual([]);
    expect((await cancel(order.id)).data.cancelOrder).toEqual({
      __typename: 'CancelReceipt',
      refundAmount: order.amount,
      order: { status: 'CANCELED' },
    });
    await expectCanceledOnce(order);
  });

  const after = stepsOf(
    depth,
    ['store.actions.end:before'],
    ['numbers.cancel:after', 'store.orders.record:before#2', 'store.actions.end:after'],
  );
  test.each(after)('killed at %s, after it was done: asked again, it is found done', async (point) => {
    const order = nextOrder();
    await world.dieAt(point, () => cancel(order.id));
    await world.comeBack(ACTION_OVER);
    expect((await cancel(order.id)).data.cancelOrder).toEqual({
      __typename: 'CancelSkipped',
      order: { status: 'CANCELED' },
    });
    await expectCanceledOnce(order);
  });

  test('asked again by nobody, the poller finds it; one who asks while the dead still hold it waits, and does not send', async () => {
    const order = nextOrder();
    await world.dieAt('numbers.cancel:after', () => cancel(order.id));
    await world.comeBack(0, { env: { POLL_INTERVAL_SECONDS: '1' } });
    const asking = cancel(order.id);
    await expectCanceledOnce(order);
    await world.skip(ACTION_OVER);
    expect((await asking).data.cancelOrder).toEqual({
      __typename: 'CancelSkipped',
      order: { status: 'CANCELED' },
    });
    expect(cancelsSent(order.id)).toHaveLength(1);
  });
}
