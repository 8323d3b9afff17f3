import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect, connect } from '../api/support/sockets.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type CrashWorld, eventually, openWorld, sign } from './support/world.ts';

const REVISIONS = 7;
const REPEATS = 3;
const POSTS_AT_ONCE = 32;
const SOCKETS = 10;

const CREATE = `mutation ($job: String!, $product: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product, quantity: 100 }) {
    ... on CreateOrderResolved { orders { id } }
  }
}`;
const WATCH = 'subscription ($id: ID!) { smsReceived(orderId: $id) { revision message } }';

interface Event {
  readonly id: string;
  readonly revision: number;
}

/** Ten signed webhooks of each order, out of order and with repeats, and as many subscribers as orders. */
export function floodOfWebhooks(orders: number): void {
  let world: CrashWorld;
  const ids: string[] = [];

  beforeAll(async () => {
    // A thousand subscriptions in one second, of one key.
    world = await openWorld({ RATE_LIMIT_PER_SECOND: '0' });
    for (let job = 0; job < orders / 100; job++) {
      const created = await world.ask(CREATE, { job: `flood ${job}`, product: world.product });
      ids.push(...created.data.createOrder.orders.map(({ id }: { id: string }) => id));
    }
  });
  afterAll(() => world.close());

  test('each accepted revision reaches its subscriber once and rising, and none is lost', async () => {
    expect(ids).toHaveLength(orders);
    const clients = Array.from({ length: SOCKETS }, () =>
      connect(`${world.gateway.url.replace('http', 'ws')}/graphql`, world.key),
    );
    const streams = ids.map((id, at) => {
      const client = clients[at % SOCKETS];
      if (client === undefined) throw new Error('there is no such client');
      return { id, ...collect(client, WATCH, { id }) };
    });
    await eventually(openStreams).toBe(orders);

    const events = shuffledEvents(ids);
    expect(events).toHaveLength(10 * orders);
    const statuses = await postAll(world.gateway.url, events);
    expect(statuses).toEqual(new Map([[200, events.length]]));

    await eventually(() => streams.filter(({ items }) => lastOf(items) !== REVISIONS).length).toBe(0);
    const { accepted, settledAt } = kept();
    for (const { id, items } of streams) {
      const heard = items.map(({ data }) => data.smsReceived);
      const revisions = heard.map(({ revision }) => revision);
      expect(revisions).toEqual(accepted.get(id));
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      expect(heard).toEqual(
        revisions.map((revision) => ({ revision, message: `message ${revision} of ${id}` })),
      );
      for (let revision = 1; revision <= REVISIONS; revision++) {
        if (revisions.includes(revision)) continue;
        // Passed over: a newer one had been accepted before it was its turn.
        const turn = settledAt(id, revision);
        const newer = revisions.filter((other) => other > revision && settledAt(id, other) <= turn);
        expect({ id, revision, newer }).not.toEqual({ id, revision, newer: [] });
      }
    }
    for (const client of clients) await client.dispose();
  });

  async function openStreams(): Promise<number> {
    const response = await fetch(`${world.gateway.url}/metrics`);
    return Number(/open_streams\{kind="smsReceived"\} (\d+)/.exec(await response.text())?.[1] ?? 0);
  }

  /** What the database says: accepted revisions of each order, and when each webhook had its turn. */
  function kept() {
    const database = new Database(join(world.directory, 'switchboard.db'), { readonly: true });
    const accepted = new Map<string, number[]>();
    for (const row of database
      .prepare<[], { id: number; revision: number }>(
        'select order_id as id, revision from sms_revisions order by order_id, revision',
      )
      .all()) {
      const id = String(row.id);
      accepted.set(id, [...(accepted.get(id) ?? []), row.revision]);
    }
    const turns = new Map<string, number>();
    const rows = database
      .prepare<[], { id: number; revision: number; state: string; at: number }>(
        'select order_id as id, revision, state, settled_at as at from inbox',
      )
      .all();
    database.close();
    // Repeats are no rows of their own, and nothing is left over.
    expect(rows).toHaveLength(orders * REVISIONS);
    expect(rows.filter(({ state }) => state !== 'SETTLED')).toEqual([]);
    for (const { id, revision, at } of rows) turns.set(`${id}:${revision}`, at);
    const settledAt = (id: string, revision: number): number => turns.get(`${id}:${revision}`) ?? Number.NaN;
    return { accepted, settledAt };
  }
}

function lastOf(items: readonly { readonly data?: { smsReceived: { revision: number } } }[]): number {
  return items.at(-1)?.data?.smsReceived.revision ?? 0;
}

/** Half of the orders' events in any order at all, the others' a little out of theirs. */
function shuffledEvents(ids: readonly string[]): Event[] {
  const random = seededRandom(4_711);
  const placed: { readonly event: Event; readonly place: number }[] = [];
  for (const [at, id] of ids.entries()) {
    const spread = at % 2 === 0 ? REVISIONS : 1.5;
    const place = (revision: number): number => (at % 2 === 0 ? 0 : revision) + random.unit() * spread;
    for (let revision = 1; revision <= REVISIONS; revision++) {
      placed.push({ event: { id, revision }, place: place(revision) });
    }
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const revision = random.integer(1, REVISIONS);
      placed.push({ event: { id, revision }, place: place(revision) });
    }
  }
  return placed.sort((a, b) => a.place - b.place).map(({ event }) => event);
}

/** How often each status was answered. */
async function postAll(url: string, events: readonly Event[]): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: POSTS_AT_ONCE });
  const counts = new Map<number, number>();
  const queue = events.values();
  const lane = async (): Promise<void> => {
    for (const event of queue) {
      const status = await post(agent, url, event);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, lane));
  agent.destroy();
  return counts;
}

function post(agent: Agent, url: string, { id, revision }: Event): Promise<number> {
  const body = JSON.stringify({
    event: 'order.otp_received',
    timestamp: '2026-09-02T06:40:00Z',
    data: { order_id: Number(id), sms_revision: revision, otp_message: `message ${revision} of ${id}` },
  });
  return new Promise((resolve, reject) => {
    const headers = { 'x-webhook-signature': sign(body), 'content-length': Buffer.byteLength(body) };
    const request = httpRequest(`${url}/webhooks/smscode`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.end(body);
  });
}
