import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Depth, stepsOf } from './support/depth.ts';
import { type CrashWorld, eventually, LEASE_OVER, openWorld } from './support/world.ts';

const PULL = 'mutation { pullSupplierOrders(limit: 50) { id claimedAt } }';

/** A claim whose answer is lost is found again, and nobody gets an order twice. */
export function crashesOfPulls(depth: Depth): void {
  let world: CrashWorld;
  /** All claims that a subscriber has seen, over all of its connections. */
  const seen: string[] = [];
  let cursor: string | null = null;
  const placed: string[] = [];

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  async function place(count: number): Promise<void> {
    for (let order = 0; order < count; order++) {
      const body = await world.control('supplier-orders', { quantity: 1 });
      placed.push(z.object({ id: z.string() }).parse(body).id);
    }
  }

  /** Reads on in the stream of claims behind the last one seen, as a client would that lost its connection. */
  async function followClaims(until: number): Promise<void> {
    const controller = new AbortController();
    const response = await fetch(`${world.gateway.url}/graphql`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${world.key}`,
      },
      body: JSON.stringify({
        query: 'subscription ($after: String) { supplierOrderClaimed(after: $after) { id claimCursor } }',
        variables: { after: cursor },
      }),
    });
    let text = '';
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const part of response.body ?? []) {
        text += decoder.decode(part, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (\{.*)$/m.exec(event)?.[1];
          if (data === undefined) continue;
          const claim = JSON.parse(data).data.supplierOrderClaimed;
          seen.push(claim.id);
          cursor = claim.claimCursor;
        }
      }
    })().catch(() => undefined);
    await eventually(() => seen.length).toBeGreaterThanOrEqual(until);
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    await reading;
  }

  /** Upstream and here, each order is claimed once, and by the stream each was told once. */
  async function expectEachOnce(): Promise<void> {
    await followClaims(placed.length);
    expect(seen.toSorted()).toEqual(placed.toSorted());
    const { claims } = await world.ledger();
    expect(claims.map(({ order_id }) => order_id).toSorted()).toEqual(placed.toSorted());
  }

  test('the stream begins with the first claim', async () => {
    await place(1);
    const pulled = await world.ask(PULL);
    expect(pulled.data.pullSupplierOrders).toHaveLength(1);
    const { data } = await world.ask('query ($id: ID!) { supplierOrder(id: $id) { claimCursor } }', {
      id: placed[0],
    });
    cursor = data.supplierOrder.claimCursor;
    seen.push(placed[0] ?? '');
    await expectEachOnce();
  });

  const before = stepsOf(
    depth,
    ['supplier.pull:before'],
    ['store.supplier.beginPull:before', 'store.supplier.beginPull:after'],
  );
  test.each(before)(
    'killed at %s, before the pull left: the orders are there for the next one',
    async (point) => {
      await place(3);
      await world.dieAt(point, () => world.ask(PULL));
      await world.comeBack(LEASE_OVER);
      const pulled = await world.ask(PULL);
      expect(pulled.data.pullSupplierOrders.map(({ id }: { id: string }) => id).toSorted()).toEqual(
        placed.slice(-3).toSorted(),
      );
      await expectEachOnce();
    },
  );

  const after = stepsOf(
    depth,
    ['supplier.pull:after'],
    ['store.supplier.endPull:before', 'store.supplier.endPull:after'],
  );
  test.each(after)(
    'killed at %s, with the orders claimed: they are found, and no later pull gets them',
    async (point) => {
      await place(3);
      await world.dieAt(point, () => world.ask(PULL));
      await world.comeBack(LEASE_OVER);
      await expectEachOnce();
      expect((await world.ask(PULL)).data.pullSupplierOrders).toEqual([]);
      await expectEachOnce();
    },
  );

  if (depth === 'main') return;
  test('killed with the answer under way', async () => {
    await place(3);
    await world.control('faults', { kind: 'delay', ms: 300, match: { path: '/api/admin/v2/orders-pull' } });
    const left = world.tap.next('POST', '/api/admin/v2/orders-pull');
    const asking = world.ask(PULL).catch(() => undefined);
    await left;
    world.gateway.signal('SIGKILL');
    await asking;
    await eventually(async () => (await world.ledger()).claims).toHaveLength(placed.length);
    await world.comeBack(LEASE_OVER);
    await expectEachOnce();
  });

  test('back before the pull counts as lost, it waits for its time, and takes nothing from one that is under way', async () => {
    await place(2);
    await world.dieAt('supplier.pull:after', () => world.ask(PULL));
    await world.comeBack(0);
    // A listing shows them in processing; they may be what a living instance is just being told.
    await world.ask('{ supplierOrders(filter: { statuses: [PROCESSING] }) { nodes { id } } }');
    expect((await world.ask(PULL)).data.pullSupplierOrders).toEqual([]);
    expect(seen).toHaveLength(placed.length - 2);
    await world.skip(LEASE_OVER);
    await expectEachOnce();
  });

  test('killed while it takes found ones over', async () => {
    await place(2);
    await world.dieAt('supplier.pull:after', () => world.ask(PULL));
    await world.comeBackAndDieAt('store.supplier.adoptFound:before', LEASE_OVER);
    await world.comeBackAndDieAt('store.supplier.adoptFound:after', LEASE_OVER);
    await world.comeBack(LEASE_OVER);
    await expectEachOnce();
  });
}
