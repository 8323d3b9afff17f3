import { z } from 'zod';
import { pooled } from '../../src/flows/pooled.ts';
import { ask } from './fleet.ts';
import { type Follower, follow } from './follower.ts';
import type { World } from './world.ts';

const PULL = 'mutation { pullSupplierOrders(limit: 5) { id } }';
const FIND = 'query ($id: ID!) { supplierOrder(id: $id) { id claimCursor } }';
const FOLLOW = `subscription ($after: String) { supplierOrderClaimed(after: $after) { id claimCursor } }`;
const DELIVER = `mutation ($id: ID!, $lines: [String!]!) {
  deliverSupplierOrder(input: { orderId: $id, lines: $lines }) { __typename }
}`;

const CLIENTS_AT_ONCE = 8;
/** Beyond any lease. What is open then stays so, and is found by the checks. */
const LONGEST_PATIENCE = 60_000;

const placedSchema = z.object({ id: z.string(), quantity: z.int() });
const claimedSchema = z.object({ id: z.string(), claimCursor: z.string() });

export interface SupplierWorkers {
  readonly planned: readonly { readonly orderId: string; readonly lines: readonly string[] }[];
  /** The claim behind which the followers begin. */
  readonly first: string;
  readonly followers: readonly Follower<string>[];
  stop(): Promise<void>;
  /** Delivers everything once more: what has arrived already falls away. */
  deliverAllAgain(): Promise<void>;
}

/** Those who place supplier orders, claim them by hand beside the automatic pullers, and deliver in two parts. */
export async function startSupplierWorkers(world: World): Promise<SupplierWorkers> {
  const { random, pick, keyOf, control } = world;
  const planned: { readonly orderId: string; readonly lines: readonly string[] }[] = [];
  let isOver = false;

  async function place(): Promise<void> {
    const quantity = random.integer(2, 5);
    const { id } = placedSchema.parse(await control('supplier-orders', { quantity }));
    planned.push({ orderId: id, lines: Array.from({ length: quantity }, (_, n) => `line ${n} of ${id}`) });
  }

  await place();
  const claimed = await firstClaim();
  const parts = {
    key: keyOf('ops'),
    query: FOLLOW,
    pick,
    stayMs: () => random.integer(1_000, 6_000),
    read: (body: { readonly data?: { supplierOrderClaimed: { id: string } } }) =>
      String(body.data?.supplierOrderClaimed.id),
    resume: (last: { readonly data?: { supplierOrderClaimed: { claimCursor: string } } } | null) => ({
      after: last?.data?.supplierOrderClaimed.claimCursor ?? claimed.claimCursor,
    }),
  };
  const followers = [follow(parts), follow(parts)];

  /** As those know who follow the claims: nobody works on anything else. */
  function isClaimed(id: string): boolean {
    return id === claimed.id || followers.some(({ items }) => items.includes(id));
  }

  /** By whom does not matter: its cursor is where the followers begin. */
  async function firstClaim(): Promise<z.output<typeof claimedSchema>> {
    const [order] = planned;
    for (;;) {
      await ask(pick(), keyOf('anna'), PULL, {});
      const answer = await ask(pick(), keyOf('ops'), FIND, { id: order?.orderId });
      const claimed = claimedSchema.safeParse(answer?.data?.supplierOrder);
      if (claimed.success) return claimed.data;
    }
  }

  async function repeat(everyMs: readonly [number, number], act: () => Promise<unknown>): Promise<void> {
    while (!isOver) {
      await pause(random.integer(...everyMs));
      await act();
    }
  }

  async function deliver(id: string, lines: readonly string[]): Promise<boolean> {
    const times = random.chance(0.3) ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: times }, () => ask(pick(), keyOf('bram'), DELIVER, { id, lines })),
    );
    return answers.every((answer) => answer?.data != null);
  }

  async function deliverSome(): Promise<void> {
    const order = random.pick(planned.slice(-12));
    if (!isClaimed(order.orderId)) return;
    const { orderId, lines } = order;
    await deliver(orderId, random.chance(0.5) ? lines.slice(0, 1) : lines);
  }

  const working = [
    repeat([700, 1_300], place),
    repeat([500, 1_500], () => ask(pick(), keyOf('cleo'), PULL, {})),
    repeat([300, 900], deliverSome),
  ];
  return {
    planned,
    first: claimed.id,
    followers,
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
    async deliverAllAgain() {
      const endsAt = Date.now() + LONGEST_PATIENCE;
      await pooled(planned, CLIENTS_AT_ONCE, async ({ orderId, lines }) => {
        while (Date.now() < endsAt && !(isClaimed(orderId) && (await deliver(orderId, lines))))
          await pause(200);
      });
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
