import type { SupplierOrderId } from '../../../src/domain/ids.ts';
import type { SupplierOrder } from '../../../src/domain/supplier/order.ts';
import { listOrders } from '../../../src/flows/supplier/list-orders.ts';
import { oddities } from '../../../src/sandbox/supplier/order.ts';
import { deliver, desks, lease, pull, release, someLines, someTime, type Wish } from './desks.ts';
import { MOST_INSTANCES, type Simulation } from './simulation.ts';

// What may happen next. Each step is one thing of one moment; time passes between them.

type Step = (simulation: Simulation) => void | Promise<void>;

export async function step(simulation: Simulation): Promise<void> {
  const { random, profile, instances } = simulation;
  const name = random.weighted({
    order: 8,
    pull: 8,
    rush: 3,
    deliver: 12,
    crowd: 4,
    rivals: 3,
    lease: profile.isSlow ? 8 : 3,
    release: 1,
    list: 3,
    hide: profile.strangers ? 4 : 0,
    die: profile.dies ? 5 : 0,
    pause: profile.pauses ? 3 : 0,
    stall: profile.pauses ? 3 : 0,
    start: instances.size === 0 ? 20 : 2,
    fill: profile.fillsDisk ? 3 : 0,
  });
  await steps[name](simulation);
}

const steps = {
  /** Buyers order, some of them at once. */
  order({ random, platform, note }) {
    const many = random.pick([1, 1, 2, 4]);
    for (let n = 0; n < many; n++) {
      const id = platform.place({
        // Now and then so many that they go by the other way.
        quantity: random.chance(0.005) ? 1_200 : random.integer(1, 6),
        paymentStatus: random.pick(['completed', 'completed', 'completed', 'partial', 'pending']),
        productType: random.chance(0.9) ? 'manual' : 'auto',
        foreign: random.chance(0.05),
        shape: random.chance(0.2) ? random.pick(oddities) : 'plain',
      });
      note(`a buyer orders ${id}`);
    }
  },

  pull(simulation) {
    const instance = simulation.pick();
    if (instance !== null) pull(simulation, instance, simulation.random.pick(desks), aLimit(simulation));
  },

  /** All workers at the same instant. */
  rush(simulation) {
    for (const desk of desks) {
      const instance = simulation.pick();
      if (instance !== null) pull(simulation, instance, desk, aLimit(simulation));
    }
  },

  async deliver(simulation) {
    const order = await aClaim(simulation);
    if (order !== null) ask(simulation, order.id, aWish(simulation, order), 1);
  },

  /** The same lines, sent by several at the same instant. */
  async crowd(simulation) {
    const order = await aClaim(simulation);
    if (order !== null) ask(simulation, order.id, aWish(simulation, order), 3);
  },

  /** Other lines of one order at the same instant. */
  async rivals(simulation) {
    const order = await aClaim(simulation);
    if (order === null) return;
    for (let n = 0; n < 3; n++) ask(simulation, order.id, aWish(simulation, order), 1);
  },

  async lease(simulation) {
    const order = await aClaim(simulation);
    const instance = simulation.pick();
    if (order === null || instance === null) return;
    lease(simulation, instance, simulation.random.pick(desks), order.id, someTime(simulation));
  },

  async release(simulation) {
    const order = await aClaim(simulation);
    const instance = simulation.pick();
    if (order !== null && instance !== null) {
      release(simulation, instance, simulation.random.pick(desks), order.id);
    }
  },

  /** Somebody looks at what there is: the gateway keeps what it is told. */
  list(simulation) {
    const instance = simulation.pick();
    if (instance === null) return;
    const statuses = simulation.random.pick([null, ['PENDING', 'PROCESSING'], ['COMPLETED']] as const);
    const query = { ...everything, statuses };
    simulation.ask(
      instance,
      `list ${statuses ?? 'all'}`,
      (deps) => listOrders(deps, query, 500, null),
      (result) => (result.kind === 'fault' ? result.fault.kind : `${result.orders.length} orders`),
    );
  },

  async hide({ random, platform, note }) {
    const orders = platform.orders().filter(({ status }) => status === 'processing');
    if (orders.length === 0) return;
    const { id } = random.pick(orders);
    note(`somebody else takes the lease of ${id}`);
    void platform.hide(id);
  },

  die({ random, pick, note }) {
    const instance = pick();
    if (instance === null) return;
    const crossing = random.integer(1, 12);
    const behind = random.chance(0.5);
    note(`${instance.name} will die ${behind ? 'behind' : 'before'} its crossing ${crossing}`);
    instance.life.dieAt(crossing, behind);
  },

  pause({ random, pick, note }) {
    const instance = pick();
    if (instance === null) return;
    // Longer than a send may take, and often than its lease.
    const milliseconds = random.integer(1_000, 80_000);
    note(`${instance.name} stands still for ${milliseconds} ms`);
    instance.life.pause(milliseconds);
  },

  /** One that pulls what was just ordered stands still with the answer in hand, often for longer than others wait for it. */
  stall(simulation) {
    const { random, note } = simulation;
    steps.order(simulation);
    const instance = simulation.pick();
    if (instance === null) return;
    const milliseconds = random.integer(20_000, 80_000);
    const crossing = random.integer(2, 4);
    note(`${instance.name} will stand still for ${milliseconds} ms behind its crossing ${crossing}`);
    instance.life.pauseAt(crossing, milliseconds);
    pull(simulation, instance, random.pick(desks), 100);
  },

  async start(simulation) {
    if (simulation.instances.size < MOST_INSTANCES) await simulation.start();
  },

  fill({ random, pick, note, clock }) {
    const instance = pick();
    if (instance === null) return;
    const milliseconds = random.integer(100, 8_000);
    note(`the disk of ${instance.name} is full for ${milliseconds} ms`);
    instance.fillDisk(true);
    clock.after(milliseconds, () => instance.fillDisk(false));
  },
} satisfies Readonly<Record<string, Step>>;

const everything = {
  statuses: null,
  paymentStatuses: null,
  productTypes: null,
  entityType: null,
  subCategory: null,
  createdFrom: null,
  createdTo: null,
};

function aLimit({ random }: Simulation): number {
  return random.pick([1, 2, 5, 100]);
}

/** Any order that is claimed here, open or not. */
async function aClaim({ random, beside }: Simulation): Promise<SupplierOrder | null> {
  const claims = await beside.supplier.claimsAfter({ kind: 'all' }, 0, 1_000);
  return claims.length === 0 ? null : random.pick(claims);
}

function aWish(simulation: Simulation, order: SupplierOrder): Wish {
  const { random } = simulation;
  return {
    lines: someLines(simulation, order),
    status: random.chance(0.1) ? 'PARTIAL' : null,
    overflow: random.pick(['REFUSE', 'SEND_WHAT_FITS']),
  };
}

function ask(simulation: Simulation, id: SupplierOrderId, wish: Wish, times: number): void {
  for (let n = 0; n < times; n++) {
    const instance = simulation.pick();
    if (instance !== null) deliver(simulation, instance, simulation.random.pick(desks), id, wish);
  }
}
