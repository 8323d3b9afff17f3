import { type Gateway, GatewayError, graphql } from '../client.ts';

const Order = graphql(`
  mutation Order($input: CreateOrderInput!) {
    createOrder(input: $input) {
      __typename
      ... on CreateOrderResolved { orders { id phoneNumber } }
      ... on CreateOrderPendingAssignment { orders { id phoneNumber } }
      ... on CreateOrderNotSent { notSent: reason }
      ... on CreateOrderRejected { code }
      ... on CreateOrderConflict { differing }
    }
  }
`);

const Attempt = graphql(`
  subscription Attempt($job: String!) {
    createAttemptChanged(businessJobId: $job) { state }
  }
`);

export interface Wish {
  /** The job's durable name: the same one for every repetition, in this process or after a crash in the next. */
  readonly businessJobId: string;
  readonly catalogProductId: number;
  readonly maxUnitPrice?: number;
}

export type Ordered =
  | { readonly kind: 'ordered'; readonly id: string; readonly phoneNumber: string | null }
  /** Nothing was bought, or nothing could be had. */
  | { readonly kind: 'none'; readonly why: string }
  /** It may have been charged. A person at the gateway finds out; asking again for the same job tells. */
  | { readonly kind: 'unclear'; readonly why: string };

/** One number for one job, whatever happens on the way: the same request is simply made again. */
export async function orderNumber(gateway: Gateway, input: Wish): Promise<Ordered> {
  for (;;) {
    const outcome = await orderOnce(gateway, input);
    switch (outcome?.__typename) {
      // The request or its answer was lost. Nothing to think about: the same job is never ordered twice.
      case undefined:
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        continue;
      case 'CreateOrderResolved':
      case 'CreateOrderPendingAssignment': {
        const [order] = outcome.orders;
        return order === undefined
          ? { kind: 'none', why: 'the provider had none left' }
          : { kind: 'ordered', ...order };
      }
      // Nobody knows yet whether it was charged. Another job would be a second order: this one is waited for.
      case 'CreateOrderInFlight':
      case 'CreateOrderNeedsReconciliation':
        for await (const _ of gateway.follow(Attempt, () => ({ job: input.businessJobId }))) {
          // Each change of state; the stream ends with the last one.
        }
        continue;
      case 'CreateOrderOperatorReview':
        return { kind: 'unclear', why: 'held for an operator: ask again for the same job later' };
      case 'CreateOrderNotSent':
        return { kind: 'none', why: outcome.notSent };
      case 'CreateOrderRejected':
        return { kind: 'none', why: outcome.code };
      case 'CreateOrderInsufficientBalance':
        return { kind: 'none', why: 'the balance at the provider is too low' };
      case 'CreateOrderConflict':
        return { kind: 'none', why: `the job is known with another ${outcome.differing.join(', ')}` };
    }
  }
}

async function orderOnce(gateway: Gateway, input: Wish) {
  try {
    return (await gateway.ask(Order, { input })).createOrder;
  } catch (error) {
    const isLasting =
      error instanceof GatewayError && !['UPSTREAM_UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
    if (isLasting) throw error;
    process.stderr.write('no answer from the gateway; asking again for the same job\n');
    return null;
  }
}
