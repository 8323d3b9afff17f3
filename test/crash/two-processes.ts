import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { GatewayProcess } from './support/gateway-process.ts';
import { type CrashWorld, eventually, LEASE_OVER, openWorld, sign } from './support/world.ts';

const CREATE = `mutation ($job: String!, $product: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product }) {
    __typename
    attempt { idempotencyKey state }
    ... on CreateOrderResolved { orders { id } }
  }
}`;
const ATTEMPT = `query ($job: String!) {
  createAttempt(businessJobId: $job) { state sends idempotencyKey orders { id } }
  viewer { budget { spent reserved } }
}`;

/** Two instances over one file, each of which may believe itself alone. */
export function twoProcesses(): void {
  let world: CrashWorld;
  let other: GatewayProcess;
  const both = (): readonly GatewayProcess[] => [world.gateway, other];

  beforeAll(async () => {
    world = await openWorld();
    other = await world.start();
  });
  afterAll(() => world.close());

  const create = (gateway: GatewayProcess, job: string) =>
    gateway.ask(world.key, CREATE, { job, product: world.product });
  const look = async (job: string) => (await other.ask(world.key, ATTEMPT, { job })).data.createAttempt;
  const sent = (key: string) => world.tap.requests.filter((request) => request.key === key);
  const chargesOf = async (key: string) =>
    (await world.ledger()).charges.filter((charge) => charge.idempotency_key === key);

  test('forty clients ask both for the same job in the same instant: one request, one answer, no error', async () => {
    const job = 'asked by all';
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => create(both()[at % 2] ?? other, job)),
    );
    expect(answers.filter(({ errors }) => errors !== undefined)).toEqual([]);
    const keys = new Set(answers.map(({ data }) => data.createOrder.attempt.idempotencyKey));
    expect(keys.size).toBe(1);
    const [key] = [...keys];
    await eventually(() => look(job)).toMatchObject({ state: 'RESOLVED', sends: 1 });
    expect(sent(key)).toHaveLength(1);
    expect(await chargesOf(key)).toHaveLength(1);

    const { orders } = await look(job);
    for (const gateway of both()) {
      expect((await create(gateway, job)).data.createOrder).toMatchObject({
        __typename: 'CreateOrderResolved',
        orders,
      });
    }
    expect(sent(key)).toHaveLength(1);
  });

  test('what is due is replayed by one of them, time and again', async () => {
    const jobs = Array.from({ length: 10 }, (_, at) => `due ${at}`);
    await world.control('faults', {
      kind: 'status',
      status: 500,
      times: 20,
      match: { path: '/v1/orders/create' },
    });
    await Promise.all(jobs.map((job, at) => create(both()[at % 2] ?? other, job)));
    for (const job of jobs)
      expect(await look(job)).toMatchObject({ state: 'NEEDS_RECONCILIATION', sends: 1 });
    for (const sends of [2, 3]) {
      // Both wake in the same moment, to the same ten.
      await Promise.all(both().map((gateway) => gateway.skip(10_000)));
      await eventually(async () => Promise.all(jobs.map(async (job) => (await look(job)).sends))).toEqual(
        jobs.map(() => sends),
      );
    }
    for (const job of jobs) {
      await eventually(() => look(job)).toMatchObject({ state: 'RESOLVED', sends: 3 });
      const { idempotencyKey: key } = await look(job);
      expect(sent(key)).toHaveLength(3);
      expect(await chargesOf(key)).toHaveLength(1);
    }
  });

  test('both cancel one order: one request, and both are told the receipt', async () => {
    const [order] = (await create(other, 'canceled by both')).data.createOrder.orders;
    await world.control('faults', { kind: 'delay', ms: 300, match: { path: '/v1/orders/cancel' } });
    const outcomes = await Promise.all(
      both().map((gateway) =>
        gateway.ask(
          world.key,
          'mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename ... on CancelReceipt { refundAmount } } }',
          { id: order.id },
        ),
      ),
    );
    expect(outcomes[0]?.data.cancelOrder.__typename).toBe('CancelReceipt');
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(world.tap.requests.filter(({ path }) => path === '/v1/orders/cancel')).toHaveLength(1);
  });

  test('what one takes in, subscribers of the other hear', async () => {
    const [order] = (await create(other, 'heard by both')).data.createOrder.orders;
    const data = { order_id: Number(order.id), sms_revision: 1, otp_message: 'Your code is 482913' };
    const body = JSON.stringify({ event: 'order.otp_received', timestamp: new Date().toISOString(), data });
    const controller = new AbortController();
    const response = await fetch(`${other.url}/graphql`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${world.key}`,
      },
      body: JSON.stringify({ query: `subscription { smsReceived(orderId: "${order.id}") { message } }` }),
    });
    const text = (async () => {
      const decoder = new TextDecoder();
      let heard = '';
      for await (const part of response.body ?? []) {
        heard += decoder.decode(part, { stream: true });
        if (heard.includes('482913')) return heard;
      }
      return heard;
    })();
    expect(await world.gateway.post(body, sign(body))).toBe(200);
    expect(await text).toContain('Your code is 482913');
    controller.abort();
  });

  test('deliveries of both on the same orders: each line once, and never more than two calls at once', async () => {
    const ids: string[] = [];
    for (let order = 0; order < 6; order++) {
      const made = await world.control('supplier-orders', { quantity: 3 });
      ids.push(z.object({ id: z.string() }).parse(made).id);
    }
    await world.ask('mutation { pullSupplierOrders { id } }');
    const outcomes = await Promise.all(
      ids.flatMap((id) =>
        both().map((gateway, at) =>
          gateway.ask(
            world.key,
            'mutation ($id: ID!, $lines: [String!]!) { deliverSupplierOrder(input: { orderId: $id, lines: $lines }) { __typename } }',
            { id, lines: [`line of ${at}`] },
          ),
        ),
      ),
    );
    expect(outcomes.filter(({ errors }) => errors !== undefined)).toEqual([]);
    const accepted = outcomes.filter(
      ({ data }) => data.deliverSupplierOrder.__typename === 'DeliveryAccepted',
    ).length;
    // Two at once on one order: the second is delivered after the first, or told to wait for it.
    expect(accepted).toBeGreaterThanOrEqual(ids.length);
    expect((await world.ledger()).delivered_lines).toHaveLength(accepted);
    const { requests } = z
      .object({ requests: z.array(z.object({ side: z.string(), inflight_at_start: z.int() })) })
      .parse(await world.control('ledger'));
    const underWay = requests.filter(({ side }) => side === 'supplier').map((one) => one.inflight_at_start);
    expect(Math.max(...underWay)).toBeLessThanOrEqual(1);
  });

  test('one stands still in mid-send for longer than its lease: the other takes over, and the late answer is evidence alone', async () => {
    const job = 'stopped';
    await world.control('faults', { kind: 'delay', ms: 1_000, match: { path: '/v1/orders/create' } });
    const left = world.tap.next('POST', '/v1/orders/create');
    const asking = create(world.gateway, job);
    await left;
    await standStill();
    const { idempotencyKey: key } = await look(job);
    await eventually(() => chargesOf(key)).toHaveLength(1);
    expect(await look(job)).toMatchObject({ state: 'SENDING', sends: 1 });

    await other.skip(LEASE_OVER);
    await eventually(() => look(job)).toMatchObject({ state: 'RESOLVED', sends: 2 });
    const { orders } = await look(job);
    const budget = (await other.ask(world.key, ATTEMPT, { job })).data.viewer.budget;
    world.gateway.signal('SIGCONT');
    // Its client is told what became of the job, orders and all, though it came of the other's send.
    expect((await asking).data.createOrder).toMatchObject({
      __typename: 'CreateOrderResolved',
      attempt: { idempotencyKey: key, state: 'RESOLVED' },
      orders,
    });
    expect(world.gateway.log.join('\n')).toContain('an answer came after its claim was lost');
    expect(evidence(key)).toEqual(['made']);
    expect(await look(job)).toMatchObject({ state: 'RESOLVED', sends: 2, orders });
    expect((await other.ask(world.key, ATTEMPT, { job })).data.viewer.budget).toEqual(budget);
    expect(await chargesOf(key)).toHaveLength(1);
    expect(sent(key)).toHaveLength(2);
    // They live in one time again.
    await world.gateway.skip(LEASE_OVER);
  });

  test('one sleeps past its deadline in mid-send: that fires as it wakes, and what it says then changes nothing', async () => {
    const job = 'slept';
    await world.control('faults', { kind: 'delay', ms: 3_000, match: { path: '/v1/orders/create' } });
    const left = world.tap.next('POST', '/v1/orders/create');
    const asking = create(world.gateway, job);
    await left;
    await standStill();
    await other.skip(LEASE_OVER);
    // The provider still holds the first: it says so, and nothing is concluded from it.
    await eventually(() => look(job)).toMatchObject({ state: 'NEEDS_RECONCILIATION', sends: 2 });
    const { idempotencyKey: key } = await look(job);

    const woken = world.gateway.skip(LEASE_OVER);
    world.gateway.signal('SIGCONT');
    await woken;
    expect((await asking).data.createOrder).toMatchObject({ attempt: { idempotencyKey: key } });
    expect(evidence(key)).toEqual(['transport']);
    await eventually(() => chargesOf(key)).toHaveLength(1);
    await Promise.all(both().map((gateway) => gateway.skip(10_000)));
    await eventually(() => look(job)).toMatchObject({ state: 'RESOLVED' });
    const { sends, orders } = await look(job);
    expect(orders).toHaveLength(1);
    expect(sent(key)).toHaveLength(sends);
    expect(await chargesOf(key)).toHaveLength(1);
  });

  /** Not in the middle of a commit of something else: then it would hold the file, and everybody would stand still. */
  async function standStill(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 200));
    world.gateway.signal('SIGSTOP');
  }

  /** Answers that came too late to count, as kept in the database. */
  function evidence(key: string): string[] {
    const database = new Database(join(world.directory, 'switchboard.db'), { readonly: true });
    const rows = database
      .prepare<[string], { reply: string }>(
        'select e.reply from attempt_evidence e join attempts a on a.id = e.attempt_id where a.idempotency_key = ?',
      )
      .all(key);
    database.close();
    return rows.map(({ reply }) => z.object({ kind: z.string() }).parse(JSON.parse(reply)).kind);
  }
}
