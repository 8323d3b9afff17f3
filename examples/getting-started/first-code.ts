// The shortest way to a code: order a number, wait for its SMS, say the code.
import { graphql, openGateway } from '../client.ts';

const Order = graphql(`
  mutation Order($job: String!, $product: Int!) {
    createOrder(input: { businessJobId: $job, catalogProductId: $product }) {
      __typename
      ... on CreateOrderResolved { orders { id phoneNumber amount } }
      ... on CreateOrderPendingAssignment { orders { id phoneNumber amount } }
    }
  }
`);

const Messages = graphql(`
  subscription Messages($order: ID!, $after: Int!) {
    smsReceived(orderId: $order, afterRevision: $after) { revision message suggestedCode }
  }
`);

const gateway = openGateway();
// Your own name of the job. Asked for again under the same name, it is the same order, and charged once.
const job = process.argv[2] ?? `first-code-${Date.now()}`;
const { createOrder } = await gateway.ask(Order, { job, product: 6136 });
if (!('orders' in createOrder)) throw new Error(`no number: ${createOrder.__typename}`);
const [order] = createOrder.orders;
if (order === undefined) throw new Error('the provider had none left');
say(`order ${order.id}: ${order.phoneNumber ?? 'the number follows'}, for ${order.amount} rupiah`);

let after = -1;
for await (const { smsReceived } of gateway.follow(Messages, () => ({ order: order.id, after }))) {
  after = smsReceived.revision;
  say(smsReceived.message);
  if (smsReceived.suggestedCode !== null) {
    say(`the code is ${smsReceived.suggestedCode}`);
    break;
  }
  say('no code in it: waiting for another message, until the order ends');
}
await gateway.close();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
