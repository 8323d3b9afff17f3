import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Chance } from './chance.ts';
import { visit } from './followers.ts';
import type { Graph } from './graph.ts';
import type { Upstream } from './upstream.ts';

/** What everybody in the run shares. `counts` says what was done, for the report. */
export interface Stage {
  readonly upstream: Upstream;
  readonly chance: Chance;
  readonly counts: Map<string, number>;
  /** Ends the run. */
  readonly over: AbortSignal;
}

export function count({ counts }: Stage, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Does one thing again and again until the run is over, with pauses between. What it throws ends the run as failed. */
export async function repeat(
  { chance, over }: Stage,
  pause: readonly [from: number, to: number],
  work: () => Promise<void>,
): Promise<void> {
  while (!over.aborted) {
    await work();
    await sleep(chance.between(...pause), undefined, { signal: over }).catch(() => undefined);
  }
}

const CREATE = `mutation ($job: String!, $product: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product }) {
    __typename
    ... on CreateOrderResolved { orders { id } }
  }
}`;
const madeSchema = z.object({
  orders: z.array(z.object({ id: z.string() })).optional(),
  __typename: z.string(),
});

/** Orders, sometimes twice at once or without hearing the answer, and cancels some. */
export async function buy(stage: Stage, graph: Graph, product: number, job: string): Promise<void> {
  const { chance } = stage;
  const ask = (signal?: AbortSignal): Promise<unknown> =>
    graph.ask(CREATE, { job, product }, signal).then(({ data }) => data?.['createOrder']);
  const asking: Promise<unknown>[] = [ask()];
  if (chance.happens(0.2)) asking.push(ask());
  if (chance.happens(0.2)) asking.push(ask(AbortSignal.timeout(5)).catch(() => null));
  const answers = await Promise.all(asking);
  // Asked for once more, in any case: it must not be ordered again.
  answers.push(await ask());
  const made = madeSchema.safeParse(answers.at(-1)).data;
  count(stage, made?.__typename ?? 'no outcome');
  const id = made?.orders?.[0]?.id;
  if (id === undefined) return;
  if (chance.happens(0.3)) {
    await sleep(chance.between(500, 3_000));
    await graph.ask('mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename } }', { id });
    count(stage, 'cancels');
  } else if (chance.happens(0.5)) {
    await stage.upstream
      .control('sms', {
        order_id: Number(id),
        message: `Your code is ${chance.between(100_000, 999_999)}`,
      })
      .then(() => count(stage, 'messages sent by hand'))
      // Ended meanwhile.
      .catch(() => undefined);
  }
}

/** As the simulated upstreams take it. */
type Fault = Readonly<Record<string, string | number | boolean>> & { readonly kind: string };

const REQUEST_FAULTS: readonly [Fault, ...Fault[]] = [
  { kind: 'reset_before' },
  { kind: 'reset_after' },
  { kind: 'half_body' },
  { kind: 'half_body_close' },
  { kind: 'html_502' },
  { kind: 'html_502', effect: true },
  { kind: 'wrong_shape' },
  { kind: 'bad_utf8' },
  { kind: 'delay', ms: 1_500 },
  { kind: 'rate_limited', retry_after: 1 },
];
const DELIVERY_FAULTS: readonly [Fault, ...Fault[]] = [
  { kind: 'webhook_drop' },
  { kind: 'webhook_duplicate' },
  { kind: 'webhook_reorder', ms: 700 },
  { kind: 'webhook_delay', ms: 1_500 },
  { kind: 'webhook_bad_signature' },
];

/** Has the next calls go wrong, and webhooks with them. */
export async function spoil(stage: Stage): Promise<void> {
  const { chance, upstream } = stage;
  const times = chance.between(1, 3);
  const fault = chance.happens(0.5) ? chance.one(REQUEST_FAULTS) : chance.one(DELIVERY_FAULTS);
  await upstream.control('faults', { ...fault, times });
  count(stage, `faults: ${fault.kind}`);
}

const workSchema = z.object({
  supplierOrders: z.object({
    nodes: z.array(z.object({ id: z.string(), quantity: z.int(), remaining: z.int() })),
  }),
});

/** Claims what buyers have placed with the supplier, and delivers on whatever is claimed and not full. */
export async function supply(stage: Stage, graph: Graph): Promise<void> {
  await graph.ask('mutation { pullSupplierOrders(limit: 50) { id } }');
  const { data } = await graph.ask(
    '{ supplierOrders(first: 200, filter: { statuses: [PROCESSING] }) { nodes { id quantity remaining } } }',
  );
  // With the upstream in trouble there is no list; the next turn asks again.
  const open = workSchema.safeParse(data).data?.supplierOrders.nodes ?? [];
  for (const { id, quantity, remaining } of open) {
    if (remaining === 0) continue;
    const lines = Array.from({ length: quantity }, (_, n) => `${id}-${n}@mail.example:pass-${n}`);
    const part = stage.chance.happens(0.3) ? lines.slice(0, Math.ceil(quantity / 2)) : lines;
    await graph.ask(
      'mutation ($id: ID!, $lines: [String!]!) { deliverSupplierOrder(input: { orderId: $id, lines: $lines }) { __typename } }',
      { id, lines: part },
    );
    count(stage, 'deliveries');
  }
}

const VISITS = [
  'subscription { smsReceived { revision } }',
  'subscription { balanceChanged { amount } }',
  'subscription { supplierOrderClaimed { id } }',
  'subscription { smsReceived(orderId: "1") { revision } }',
] as const;

export async function comeAndGo(stage: Stage, graph: Graph): Promise<void> {
  await visit(graph, stage.chance.one(VISITS), stage.chance, stage.over);
  count(stage, 'streams opened and left');
}
