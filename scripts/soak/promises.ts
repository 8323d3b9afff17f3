import { z } from 'zod';
import type { Follower } from './followers.ts';
import { everything, type Graph } from './graph.ts';
import type { Ledger, Upstream } from './upstream.ts';

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const attemptSchema = z.object({
  caller: z.string(),
  businessJobId: z.string(),
  idempotencyKey: z.string(),
  state: z.string(),
  orders: z.array(z.object({ id: z.string() })),
});
const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  smsRevision: z.int(),
  otpMessage: z.string().nullable(),
  attempt: z.object({ caller: z.string() }).nullable(),
  smsRevisions: z.array(z.object({ revision: z.int() })),
});
const supplierOrderSchema = z.object({
  id: z.string(),
  quantity: z.int(),
  remaining: z.int(),
  status: z.string(),
});
const budgetSchema = z.object({
  viewer: z.object({
    caller: z.string(),
    budget: z.object({ limit: z.int(), spent: z.int(), reserved: z.int() }).nullable(),
  }),
});

/** What the gateway says in the end. */
export interface Account {
  readonly attempts: readonly z.output<typeof attemptSchema>[];
  readonly orders: readonly z.output<typeof orderSchema>[];
  readonly supplierOrders: readonly z.output<typeof supplierOrderSchema>[];
}

/** @param operator sees all. */
export async function readAccount(operator: Graph): Promise<Account> {
  const list = <Node>(
    name: string,
    node: z.ZodType<Node>,
    fields: string,
    first = 100,
  ): Promise<readonly Node[]> => {
    const shape = z.object({ [name]: z.object({ nodes: z.array(node), pageInfo }) });
    const query = `query ($after: String) { ${name}(first: ${first}, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
    return everything(async (after) => {
      const found = (await operator.read(shape, query, { after }))[name];
      if (found === undefined) throw new Error(`${name} was not told`);
      return found;
    });
  };
  return {
    attempts: await list(
      'createAttempts',
      attemptSchema,
      'caller businessJobId idempotencyKey state orders { id }',
      50,
    ),
    orders: await list(
      'orders',
      orderSchema,
      'id status smsRevision otpMessage attempt { caller } smsRevisions { revision }',
      20,
    ),
    supplierOrders: await list('supplierOrders', supplierOrderSchema, 'id quantity remaining status'),
  };
}

export interface Evidence {
  readonly account: Account;
  readonly ledger: Ledger;
  readonly upstream: Upstream;
  readonly followers: readonly Follower[];
  readonly buyers: readonly Graph[];
  /** Times at which somebody's budget was found exceeded while the run went on. */
  readonly overspent: readonly string[];
  readonly deadWebhooks: number;
}

export interface Verdict {
  readonly promise: string;
  /** What was held against what. */
  readonly seen: string;
  readonly broken: readonly string[];
}

/** The six promises of the gateway, held against what the simulated upstreams have written down themselves. */
export async function judge(evidence: Evidence): Promise<readonly Verdict[]> {
  return [
    chargedOnce(evidence),
    await messagesAreThere(evidence),
    followersHaveAll(evidence),
    claimsAreKept(evidence),
    await budgetsHold(evidence),
    pollingFound(evidence),
  ];
}

function chargedOnce({ account, ledger }: Evidence): Verdict {
  const broken: string[] = [];
  const keys = new Map(account.attempts.map((attempt) => [attempt.idempotencyKey, attempt]));
  const charged = new Map<string, number>();
  for (const { idempotency_key: key } of ledger.charges) {
    if (key === null || !keys.has(key)) broken.push(`a charge under ${key}, which no attempt has`);
    else charged.set(key, (charged.get(key) ?? 0) + 1);
  }
  for (const [key, times] of charged)
    if (times > 1) broken.push(`${keys.get(key)?.businessJobId} was charged ${times} times`);
  for (const { businessJobId, state, idempotencyKey, orders } of account.attempts) {
    const isCharged = charged.has(idempotencyKey);
    if (state === 'RESOLVED' && isCharged !== orders.length > 0)
      broken.push(`${businessJobId}: charged ${isCharged}, ${orders.length} orders`);
    if (state !== 'RESOLVED' && isCharged) broken.push(`${businessJobId} was charged and is ${state}`);
  }
  return {
    promise: '1. no job is charged twice',
    seen: `${ledger.charges.length} charges, ${account.attempts.length} jobs`,
    broken,
  };
}

async function messagesAreThere({ account, ledger, upstream, deadWebhooks }: Evidence): Promise<Verdict> {
  const broken: string[] = deadWebhooks > 0 ? [`${deadWebhooks} webhooks were given up on`] : [];
  const kept = new Map(account.orders.map((order) => [order.id, order]));
  let messages = 0;
  for (const { order_id: id } of ledger.charges) {
    const ours = kept.get(String(id));
    const theirs = await upstream.order(id);
    if (ours === undefined) broken.push(`order ${id} is not known`);
    else if (theirs.otp_message !== null) {
      messages += 1;
      if (ours.smsRevision !== theirs.sms_revision || ours.otpMessage !== theirs.otp_message)
        broken.push(`order ${id}: revision ${ours.smsRevision} here, ${theirs.sms_revision} there`);
    }
  }
  const taken = ledger.webhooks.attempts.filter(({ status }) => status !== null && status < 300).length;
  return {
    promise: '2. a webhook answered 2xx is not lost',
    seen: `${taken} webhooks taken; the last message of ${messages} orders`,
    broken,
  };
}

function followersHaveAll({ account, followers }: Evidence): Verdict {
  const broken: string[] = [];
  for (const { name, seen, connections } of followers) {
    const caller = name.split(' ')[0];
    const wanted = account.orders
      .filter(({ attempt }) => attempt?.caller === caller)
      .flatMap(({ id, smsRevisions }) => smsRevisions.map(({ revision }) => `${id}/${revision}`));
    const had = new Set(seen);
    if (had.size !== seen.length) broken.push(`${name} had ${seen.length - had.size} messages twice`);
    const missing = wanted.filter((message) => !had.has(message));
    if (missing.length > 0)
      broken.push(`${name} missed ${missing.length} messages in ${connections()} connections`);
    if (had.size > wanted.length)
      broken.push(`${name} had ${had.size - wanted.length} messages that are not its own`);
    const last = new Map<string, number>();
    for (const message of seen) {
      const [order = '', revision = ''] = message.split('/');
      if (Number(revision) <= (last.get(order) ?? -1)) broken.push(`${name} had ${message} out of order`);
      last.set(order, Number(revision));
    }
  }
  const total = followers.reduce((sum, { seen }) => sum + seen.length, 0);
  const connections = followers.reduce((sum, follower) => sum + follower.connections(), 0);
  return {
    promise: '3. every message reaches every subscriber once, in order',
    seen: `${total} messages over ${connections} connections of ${followers.length} subscribers`,
    broken,
  };
}

function claimsAreKept({ account, ledger }: Evidence): Verdict {
  const broken: string[] = [];
  const kept = new Map(account.supplierOrders.map((order) => [order.id, order]));
  const quantities = new Map(ledger.supplier_orders.map(({ id, quantity }) => [id, quantity]));
  const lines = new Map<string, Set<string>>();
  for (const { order_id: id, line } of ledger.delivered_lines)
    lines.set(id, (lines.get(id) ?? new Set()).add(line));
  const claims = new Set(ledger.claims.map(({ order_id: id }) => id));
  for (const id of claims) {
    const delivered = lines.get(id)?.size ?? 0;
    if (!kept.has(id)) broken.push(`${id} was claimed and is not known`);
    if (delivered !== quantities.get(id)) broken.push(`${id}: ${delivered} lines of ${quantities.get(id)}`);
  }
  return {
    promise: '4. no claim is forgotten, no line too many',
    seen: `${claims.size} claims, ${ledger.delivered_lines.length} lines`,
    broken,
  };
}

async function budgetsHold({ account, ledger, buyers, overspent }: Evidence): Promise<Verdict> {
  const broken = [...overspent];
  const owners = new Map(account.orders.map(({ id, attempt }) => [Number(id), attempt?.caller]));
  const seen: string[] = [];
  for (const buyer of buyers) {
    const { viewer } = await readBudget(buyer);
    const of = (entries: readonly { readonly order_id: number; readonly amount: number }[]): number =>
      entries.reduce(
        (sum, entry) => sum + (owners.get(entry.order_id) === viewer.caller ? entry.amount : 0),
        0,
      );
    const real = of(ledger.charges) - of(ledger.refunds);
    const { limit, spent, reserved } = viewer.budget ?? { limit: 0, spent: 0, reserved: 0 };
    if (spent !== real) broken.push(`${viewer.caller} has spent ${real}, and ${spent} is booked`);
    if (reserved !== 0) broken.push(`${reserved} of ${viewer.caller} is still held`);
    if (spent + reserved > limit) broken.push(`${viewer.caller} is over its budget`);
    seen.push(`${viewer.caller}: ${spent} of ${limit}`);
  }
  return { promise: '5. no budget is exceeded, and the books are right', seen: seen.join('; '), broken };
}

function pollingFound({ account, ledger }: Evidence): Verdict {
  // Held against the provider under promise 2; here, that it was put to the test.
  const told = new Set(
    ledger.webhooks.attempts
      .filter(({ event, status }) => event === 'order.otp_received' && status === 200)
      .map(({ order_id: id }) => String(id)),
  );
  const polled = account.orders.filter(({ id, smsRevision }) => smsRevision >= 0 && !told.has(id)).length;
  return {
    promise: '6. with webhooks lost, polling finds the messages',
    seen: `${polled} orders have messages of which no webhook came`,
    broken: polled > 0 ? [] : ['no webhook was lost: this was not tried'],
  };
}

export function readBudget(graph: Graph): Promise<z.output<typeof budgetSchema>> {
  return graph.read(budgetSchema, '{ viewer { caller budget { limit spent reserved } } }');
}
