import { type Gateway, graphql } from '../client.ts';

const Finish = graphql(`
  mutation Finish($id: ID!) { finishOrder(orderId: $id) { __typename } }
`);

const Cancel = graphql(`
  mutation Cancel($id: ID!) {
    cancelOrder(orderId: $id) {
      __typename
      ... on CancelSkipped { order { status cancelAvailableAt smsRevision } }
    }
  }
`);

/** Closes an order that has had its code. One that is left open ends by itself all the same, only later. */
export async function finishOrder(gateway: Gateway, id: string): Promise<string> {
  return (await gateway.ask(Finish, { id })).finishOrder.__typename;
}

/** `came`: a message was there after all, so that no money comes back. `too-early`: `again` says when it may be allowed. */
export type GivenBack =
  | { readonly kind: 'given-back' | 'came' | 'ended' | 'unclear' }
  | { readonly kind: 'too-early'; readonly again: string | null };

/** Gives a number back on which no SMS has come, if the provider allows it at this moment. */
export async function tryToGiveBack(gateway: Gateway, id: string): Promise<GivenBack> {
  const { cancelOrder: outcome } = await gateway.ask(Cancel, { id });
  switch (outcome.__typename) {
    case 'CancelReceipt':
    case 'CancelConfirmed':
      return { kind: 'given-back' };
    case 'CancelSkipped': {
      const { status, smsRevision, cancelAvailableAt } = outcome.order;
      if (smsRevision >= 0) return { kind: 'came' };
      if (status === 'CANCELED') return { kind: 'given-back' };
      return status === 'ACTIVE' ? { kind: 'too-early', again: cancelAvailableAt } : { kind: 'ended' };
    }
    // Refused, or unclear. The gateway repeats nothing by itself; the next try reads the order again first.
    case 'CancelRejected':
    case 'CancelAmbiguous':
      return { kind: 'unclear' };
  }
}

/** The same, as soon as it is allowed. The order's flag decides when that is; the time only tells when to ask again. */
export async function giveBack(
  gateway: Gateway,
  id: string,
): Promise<Exclude<GivenBack['kind'], 'too-early'>> {
  for (let unclear = 0; ; ) {
    const tried = await tryToGiveBack(gateway, id);
    if (tried.kind === 'unclear') unclear += 1;
    else if (tried.kind !== 'too-early') return tried.kind;
    if (unclear === 10) return 'unclear';
    await sleepUntil(tried.kind === 'too-early' ? tried.again : null);
  }
}

async function sleepUntil(instant: string | null): Promise<void> {
  const wait = instant === null ? 5_000 : Date.parse(instant) - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 250)));
}
