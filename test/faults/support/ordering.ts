import type { GraphBody, TestGateway } from '../../api/support/gateway.ts';

/** The cheapest product that can be ordered now. */
async function productOf(gateway: TestGateway): Promise<number> {
  const { body } = await gateway.ask(
    '{ catalogProducts(filter: { orderable: true }, first: 1) { nodes { catalogProductId } } }',
  );
  return body.data.catalogProducts.nodes[0].catalogProductId;
}

const CREATE = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) {
    __typename
    attempt { id: businessJobId state sends idempotencyKey }
    ... on CreateOrderResolved { orders { id phoneNumber status amount } }
  }
}`;

/** Orders one number for a job of the key's. */
export async function orderFor(
  gateway: TestGateway,
  key: string,
  businessJobId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly phoneNumber: string; readonly idempotencyKey: string }> {
  const input = { businessJobId, catalogProductId: await productOf(gateway), ...more };
  const { body } = await gateway.ask(CREATE, { input }, key);
  const outcome = body.data?.createOrder;
  if (outcome?.__typename !== 'CreateOrderResolved') throw new Error(JSON.stringify(body));
  return { ...outcome.orders[0], idempotencyKey: outcome.attempt.idempotencyKey };
}

/** How many requests about orders have reached the simulated provider: the balance is read by the gateway itself. */
export async function requestsAt(gateway: TestGateway): Promise<number> {
  const ledger = await gateway.control('ledger');
  if (typeof ledger !== 'object' || ledger === null || !('requests' in ledger)) throw new Error('no ledger');
  const { requests } = ledger;
  if (!Array.isArray(requests)) throw new Error('a ledger without requests');
  return requests.filter((request) => String(request.path).includes('/orders')).length;
}

/** What a caller is told, without what differs by request. */
export function told(body: GraphBody): string {
  return JSON.stringify({
    data: body.data,
    errors: body.errors?.map(({ message, path, extensions }) => ({ message, path, extensions })),
  });
}
