import { type Gateway, graphql } from '../client.ts';
import type { Stock } from './stock.ts';

const Order = graphql(`
  query Order($id: ID!) {
    supplierOrder(id: $id) { status quantity remaining subCategory deliveries { state } }
  }
`);

const Plan = graphql(`
  query Plan($id: ID!, $lines: [String!]!) {
    deliveryPlan(orderId: $id, lines: $lines) { fresh overflow remainingAfter }
  }
`);

const Deliver = graphql(`
  mutation Deliver($input: DeliverSupplierOrderInput!) {
    deliverSupplierOrder(input: $input) {
      __typename
      ... on DeliveryAccepted { order { status remaining } }
      ... on DeliveryRejected { code message }
      ... on DeliveryNotSent { notSent: reason }
    }
  }
`);

/**
 * One round on one order: delivers what there is for it, all of it each time. What was delivered before falls away, so
 * that a round whose end was not heard is simply done again. True when nothing is left to do.
 */
export async function workOn(
  gateway: Gateway,
  stock: Stock,
  id: string,
  tell: (line: string) => void,
): Promise<boolean> {
  const { supplierOrder: order } = await gateway.ask(Order, { id });
  if (order === null || order.status !== 'PROCESSING') {
    tell(`${id}: ${order?.status ?? 'not known any more'}`);
    return true;
  }
  // The gateway is still sending one, again and again until it is settled.
  if (order.deliveries.some(({ state }) => state === 'PENDING')) return false;

  const kind = order.subCategory ?? 'other';
  const lines = stock.promise(id, kind, order.quantity);
  if (lines.length < order.quantity)
    tell(`${id}: ${order.quantity - lines.length} of ${kind} are not in stock`);
  const { deliveryPlan: plan } = await gateway.ask(Plan, { id, lines });
  if (plan.overflow.length > 0) throw new Error(`${id}: more was promised to it than it ordered`);
  if (plan.fresh.length === 0 && order.remaining > 0) return false;

  // Left out, the status is COMPLETED when this fills the order, else PARTIAL. An order that is full already is closed by hand.
  const status = plan.fresh.length === 0 ? ({ status: 'COMPLETED' } as const) : {};
  const { deliverSupplierOrder: outcome } = await gateway.ask(Deliver, {
    input: { orderId: id, lines, overflow: 'REFUSE', ...status },
  });
  switch (outcome.__typename) {
    case 'DeliveryAccepted':
      tell(`${id}: ${plan.fresh.length} delivered, ${outcome.order.remaining} owed, ${outcome.order.status}`);
      return outcome.order.status === 'COMPLETED';
    case 'DeliveryPending':
      tell(`${id}: no clear answer yet; the gateway goes on sending`);
      return false;
    case 'DeliveryNotSent':
      tell(`${id}: ${outcome.notSent}`);
      return false;
    // Final: not paid, wholly refunded, none of ours. The pieces stay promised to it until a person looks.
    case 'DeliveryRejected':
      tell(`${id}: refused for good, ${outcome.code}: ${outcome.message}`);
      return true;
  }
}
