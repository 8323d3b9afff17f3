import { type Gateway, graphql } from '../client.ts';

const Changes = graphql(`
  subscription Changes($order: ID!) {
    orderChanged(orderId: $order) { status phoneNumber }
  }
`);

const Messages = graphql(`
  subscription Messages($order: ID!, $after: Int!) {
    smsReceived(orderId: $order, afterRevision: $after) { revision message suggestedCode }
  }
`);

/** Mostly the number is there with the order; now and then it follows a moment later. */
export async function waitForNumber(gateway: Gateway, order: string): Promise<string> {
  for await (const { orderChanged } of gateway.follow(Changes, () => ({ order }))) {
    if (orderChanged.phoneNumber !== null) return orderChanged.phoneNumber;
  }
  throw new Error(`order ${order} has ended without a number`);
}

export interface Found {
  readonly code: string;
  readonly revision: number;
}

/**
 * The first code above a revision; -1: of any message. Null when none has come in that time, or the order has ended. A
 * message without a code is no code: another may follow.
 */
export async function waitForCode(
  gateway: Gateway,
  order: string,
  options: { readonly milliseconds: number; readonly afterRevision: number },
  tell: (message: string) => void = () => undefined,
): Promise<Found | null> {
  let after = options.afterRevision;
  const messages = gateway.follow(Messages, () => ({ order, after }));
  const giveUp = setTimeout(() => void messages.return?.(), options.milliseconds);
  try {
    for await (const { smsReceived } of messages) {
      const { revision, message, suggestedCode } = smsReceived;
      after = revision;
      tell(message);
      if (suggestedCode !== null) return { code: suggestedCode, revision };
    }
    return null;
  } finally {
    clearTimeout(giveUp);
  }
}
