import type { TestGateway } from '../../api/support/gateway.ts';

/** Orders and attempts in the states that the console's pages have words for. */
export interface Scene {
  /** Waits for its first SMS. */
  readonly waiting: string;
  /** Has had two messages, the last with a code. */
  readonly answered: string;
  readonly completed: string;
  /** Claimed, and half delivered. */
  readonly supplierOrder: string;
  /** The job of an attempt in OPERATOR_REVIEW. */
  readonly review: string;
}

const CREATE = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) { __typename ... on CreateOrderResolved { orders { id } } }
}`;
const BEFORE = '2020-01-01T00:00:00Z';

export async function setScene(gateway: TestGateway): Promise<Scene> {
  const products = await wellKnownProducts(gateway);
  let made = 0;
  const order = async (more: Record<string, unknown> = {}): Promise<string> => {
    made += 1;
    const catalogProductId = products[made % products.length];
    const { body } = await gateway.ask(CREATE, {
      input: { businessJobId: `checkout-${1000 + made}`, catalogProductId, ...more },
    });
    return body.data.createOrder.orders?.[0]?.id ?? '';
  };
  const say = (id: string, message: string): Promise<unknown> =>
    gateway.control('sms', { order_id: Number(id), message });

  const expired = await order();
  const completed = await order();
  await say(completed, 'Your verification code is 771204.');
  await hasMessages(gateway, completed, 1);
  await gateway.ask('mutation ($id: ID!) { finishOrder(orderId: $id) { __typename } }', { id: completed });
  const answered = await order();
  await say(answered, 'Welcome! Your account was opened from a new device.');
  await hasMessages(gateway, answered, 1);
  await say(answered, '<b>482913</b> is your code. Never share it: https://example.com/verify');
  await hasMessages(gateway, answered, 2);
  const waiting = await order();
  await gateway.control(`orders/${expired}/expire`, {});

  await order({ businessJobId: 'checkout-review', reviewThresholdAt: BEFORE });

  for (const quantity of [4, 12, 2]) await gateway.control('supplier-orders', { quantity });
  const pulled = await gateway.ask('mutation { pullSupplierOrders { id quantity } }');
  const supplierOrder: string = pulled.body.data.pullSupplierOrders[0].id;
  await gateway.ask(
    `mutation ($input: DeliverSupplierOrderInput!) { deliverSupplierOrder(input: $input) { __typename } }`,
    { input: { orderId: supplierOrder, lines: ['first@example.com:one', 'second@example.com:two'] } },
  );
  return { waiting, answered, completed, supplierOrder, review: 'checkout-review' };
}

async function wellKnownProducts(gateway: TestGateway): Promise<number[]> {
  const { body } = await gateway.ask(
    `{ catalogProducts(filter: { orderable: true, platformIds: [1, 2, 3, 4, 5], countryIds: [6, 22, 16, 10] }, first: 20) {
      nodes { catalogProductId } } }`,
  );
  const ids: number[] = body.data.catalogProducts.nodes.map(
    (node: { catalogProductId: number }) => node.catalogProductId,
  );
  return [...new Set(ids)];
}

async function hasMessages(gateway: TestGateway, id: string, count: number): Promise<void> {
  for (;;) {
    const { body } = await gateway.ask('query ($id: ID!) { order(id: $id) { smsRevisions { revision } } }', {
      id,
    });
    if (body.data.order.smsRevisions.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
