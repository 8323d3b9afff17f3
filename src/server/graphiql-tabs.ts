import {
  ACCOUNT,
  AFTER_THE_SMS,
  CANCEL,
  CATALOG,
  CLAIM,
  CLAIMS,
  DELIVER,
  FIRST_ORDER,
  MY_ORDERS,
  ORDER,
  REVIEWS,
  STATISTICS,
  WATCH,
  WEBHOOK,
} from './graphiql-examples.ts';

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

const SUPPLIER_ORDER = '<an id from the tab Claim>';

/** `run` makes the example's job a new one each time the page is opened. */
export function graphiqlTabs(key: string | null, product: number | null, run: string): GraphiqlTabs {
  const authorization = `Bearer ${key ?? '<your gateway key>'}`;
  const headers = JSON.stringify({ Authorization: authorization }, null, 2);
  const job = `example-${run}`;
  const caller = key === null ? '<whose job it is>' : 'sandbox';
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
      tab(CATALOG, { filter: { search: 'whatsapp - in', orderable: true } }),
      tab(ORDER, { input: { businessJobId: job, catalogProductId: product ?? 1, quantity: 1 } }),
      tab(WATCH),
      tab(MY_ORDERS, { job }),
      tab(CANCEL, { orderId: FIRST_ORDER }),
      tab(AFTER_THE_SMS, {
        orderId: FIRST_ORDER,
        again: { businessJobId: `${job}-again`, orderId: FIRST_ORDER, maxCost: 20_000 },
      }),
      tab(ACCOUNT),
      tab(CLAIMS),
      tab(CLAIM, { limit: 10 }),
      tab(DELIVER, {
        orderId: SUPPLIER_ORDER,
        lines: ['first@mail.example:secret', 'First@Mail.example:secret', ''],
        input: { orderId: SUPPLIER_ORDER, lines: ['first@mail.example:secret'] },
      }),
      tab(REVIEWS, {
        caller,
        job,
        closing: {
          caller,
          businessJobId: job,
          finding: 'NOT_ORDERED',
          note: 'The provider has no such charge.',
        },
      }),
      tab(STATISTICS, { since: '2026-01-01T00:00:00Z', groupBy: 'COUNTRY' }),
      tab(WEBHOOK, { url: 'https://gateway.example.com/webhooks/smscode' }),
    ],
  };
}
