import { z } from 'zod';
import { pooled } from '../../src/flows/pooled.ts';
import type { Job, SentMessage } from './evidence.ts';
import { ask } from './fleet.ts';
import { CALLERS, type World } from './world.ts';

const CREATE = `mutation ($job: String!, $product: Int!, $quantity: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product, quantity: $quantity }) {
    __typename ... on CreateOrderResolved { orders { id } }
  }
}`;
const CANCEL = 'mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename } }';
const FIND = '{ catalogProducts(filter: { orderable: true }, first: 1) { nodes { catalogProductId id } } }';
const CLIENTS_OF_EACH = 2;
/** In the end: a third of them meet the instance that stands still, and wait. */
const CLIENTS_AT_ONCE = 24;
/** Beyond any lease. What is open then stays so, and is found by the checks. */
const LONGEST_PATIENCE = 60_000;

const resolvedSchema = z.object({
  createOrder: z.object({
    __typename: z.literal('CreateOrderResolved'),
    orders: z.array(z.object({ id: z.string() })),
  }),
});
const productSchema = z.object({ id: z.string(), catalogProductId: z.int() });
const toldSchema = z.object({ sms_revision: z.int(), otp_message: z.string() });

export interface Buyers {
  readonly asked: readonly Job[];
  readonly sent: readonly SentMessage[];
  /** Called with each order that a client has been told of. */
  onOrder(listener: (id: number) => void): void;
  /** Asks for nothing new. */
  stop(): Promise<void>;
  /** Asks for every job once more, until it is resolved. */
  askAllAgain(): Promise<void>;
}

/** Callers that buy, cancel, and ask again wherever an answer stayed away; and people who send them messages. */
export async function startBuyers(world: World): Promise<Buyers> {
  const { random, pick, keyOf } = world;
  const { id, catalogProductId: product } = await findProduct(world);
  await world.control(`products/${id}`, { available: 1_000_000 });
  const asked: Job[] = [];
  const sent: SentMessage[] = [];
  const orders: number[] = [];
  const listeners: ((id: number) => void)[] = [];
  let isOver = false;

  async function request({ caller, job, quantity }: Job): Promise<boolean> {
    const answer = await ask(pick(), keyOf(caller), CREATE, { job, product, quantity });
    const resolved = resolvedSchema.safeParse(answer?.data);
    if (!resolved.success) return false;
    for (const id of resolved.data.createOrder.orders.map((order) => Number(order.id))) {
      if (orders.includes(id)) continue;
      orders.push(id);
      for (const tell of listeners) tell(id);
    }
    return true;
  }

  async function buy(caller: string, client: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const wish = { caller, job: `job-${caller}-${client}-${turn}`, quantity: random.integer(1, 3) };
      asked.push(wish);
      // Impatient ones ask several instances in the same moment.
      const times = random.chance(0.3) ? 3 : 1;
      const answers = await Promise.all(Array.from({ length: times }, () => request(wish)));
      if (!answers.includes(true)) await request(wish);
      await pause(random.integer(50, 250));
    }
  }

  async function cancel(): Promise<void> {
    while (!isOver) {
      await pause(random.integer(200, 600));
      if (orders.length === 0) continue;
      const id = String(random.pick(orders));
      const caller = random.pick(CALLERS);
      // Another's is as if it were not there, one that has had its SMS is skipped, and of two one is first.
      await Promise.all([pick(), pick()].map((url) => ask(url, keyOf(caller), CANCEL, { id })));
    }
  }

  async function write(): Promise<void> {
    while (!isOver) {
      await pause(random.integer(10, 60));
      if (orders.length === 0) continue;
      await message(random.pick(orders.slice(-60)));
    }
  }

  async function message(id: number): Promise<void> {
    const text = `message ${sent.length} of ${id}`;
    // Of an order that has ended it is refused.
    const told = await world.control('sms', { order_id: id, message: text }).catch(() => null);
    if (told === null) return;
    sent.push({ orderId: id, revision: toldSchema.parse(told).sms_revision, message: text });
  }

  const clients = [
    ...CALLERS.flatMap((caller) =>
      Array.from({ length: CLIENTS_OF_EACH }, (_, client) => buy(caller, client)),
    ),
    cancel(),
    write(),
  ];
  return {
    asked,
    sent,
    onOrder: (listener) => void listeners.push(listener),
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
    async askAllAgain() {
      const endsAt = Date.now() + LONGEST_PATIENCE;
      await pooled(asked, CLIENTS_AT_ONCE, async (wish) => {
        while (!(await request(wish)) && Date.now() < endsAt) await pause(500);
      });
    },
  };
}

async function findProduct({ pick, keyOf }: World): Promise<z.output<typeof productSchema>> {
  for (;;) {
    // The first answer waits for the whole catalog, of thousands.
    const answer = await ask(pick(), keyOf('ops'), FIND, {});
    const found = productSchema.safeParse(answer?.data?.catalogProducts.nodes[0]);
    if (found.success) return found.data;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
