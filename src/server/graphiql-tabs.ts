/** What GraphiQL opens with: examples that work as they stand, in the order in which one tries them. */
export interface GraphiqlTabs {
  readonly defaultTabs: {
    readonly query: string;
    readonly variables: string | null;
    readonly headers: string;
  }[];
  readonly headers: string;
  readonly additionalHeaders?: Readonly<Record<string, string>>;
}

/** `run` makes the example's job a new one each time the page is opened. */
export function graphiqlTabs(key: string | null, product: number | null, run: string): GraphiqlTabs {
  const authorization = `Bearer ${key ?? '<your gateway key>'}`;
  const headers = JSON.stringify({ Authorization: authorization }, null, 2);
  const input = { businessJobId: `example-${run}`, catalogProductId: product ?? 1, quantity: 1 };
  const tab = (query: string, variables: unknown = null): GraphiqlTabs['defaultTabs'][number] => ({
    query,
    variables: variables === null ? null : JSON.stringify(variables, null, 2),
    headers,
  });
  return {
    headers,
    // Tabs kept from an earlier visit come back without their headers: those are never stored.
    ...(key !== null && { additionalHeaders: { Authorization: authorization } }),
    defaultTabs: [
      tab(CATALOG),
      tab(CREATE, { input }),
      tab(WATCH),
      tab(CANCEL, { orderId: '1' }),
      tab(BALANCE),
    ],
  };
}

const CATALOG = `# What can be ordered now, cheapest first.
query Catalog {
  catalogProducts(filter: { orderable: true }, orderBy: { field: PRICE }, first: 10) {
    totalCount
    nodes {
      catalogProductId
      name
      price
      available
      country { name emoji }
      platform { name }
    }
  }
}
`;

const CREATE = `# Orders a number. Run it again: the same job is never ordered, or charged, twice.
mutation Create($input: CreateOrderInput!) {
  createOrder(input: $input) {
    __typename
    attempt { state sends idempotencyKey }
    ... on CreateOrderResolved {
      failedCount
      orders { id status phoneNumber amount expiresAt canCancel cancelAvailableAt }
    }
    ... on CreateOrderNotSent { reason }
  }
}
`;

const WATCH = `# Every message of your orders, those already here first. In the sandbox one comes within seconds of an order.
subscription Watch {
  smsReceived {
    order { id phoneNumber status }
    revision
    message
    otpCode
    suggestedCode
    source
    receivedAt
  }
}
`;

const CANCEL = `# Gives an order back: sent once, and only when the order's latest snapshot allows it. Fill in an order's id.
mutation Cancel($orderId: ID!) {
  cancelOrder(orderId: $orderId) {
    __typename
    ... on CancelReceipt { refundAmount newBalance order { status } }
    ... on CancelSkipped { order { status cancelAvailableAt } }
    ... on CancelRejected { code httpStatus }
    ... on CancelAmbiguous { latestStatus }
  }
}
`;

const BALANCE = `# The account's balance, and what this key may still spend.
query Balance {
  balance(refresh: true) { currency amount low asOf }
  viewer { caller scopes budget { limit spent reserved remaining } }
}
`;
