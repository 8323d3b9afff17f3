import { type OrderId, parseOrderId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import { later, SECOND } from '../../src/domain/time.ts';
import { job, key, must } from '../support/values.ts';
import { type Act, act, askFor, newCreate } from './requests.ts';
import { callers, type Simulation } from './simulation.ts';

// What may happen next. Each step is one thing of one moment; time passes between them.

type Step = (simulation: Simulation) => void | Promise<void>;

export async function step(simulation: Simulation): Promise<void> {
  const { random, profile } = simulation;
  const name = random.weighted({
    create: 10,
    repeat: 5,
    twist: 2,
    crowd: 2,
    act: 10,
    rush: 3,
    reactivate: 4,
    message: 12,
    expire: 2,
    spoilWebhooks: profile.webhooks ? 5 : 0,
    die: profile.dies ? 5 : 0,
    pause: profile.pauses ? 3 : 0,
    start: simulation.instances.size === 0 ? 20 : 1,
    fill: profile.fillsDisk ? 3 : 0,
  });
  await steps[name](simulation);
}

const steps = {
  create(simulation) {
    const instance = simulation.pick();
    if (instance === null) return;
    const asked = newCreate(simulation);
    simulation.jobs.push(asked);
    askFor(simulation, instance, asked);
  },

  repeat(simulation) {
    const { jobs, random } = simulation;
    const instance = simulation.pick();
    if (instance !== null && jobs.length > 0) askFor(simulation, instance, random.pick(jobs));
  },

  /** The same job asked for as another one, or under another caller's key. */
  twist(simulation) {
    const { jobs, random, note } = simulation;
    const instance = simulation.pick();
    const creates = jobs.flatMap((asked) => (asked.kind === 'CREATE' ? [asked] : []));
    if (instance === null || creates.length === 0) return;
    const asked = random.pick(creates);
    note('  twisted:');
    if (random.chance(0.5)) {
      askFor(simulation, instance, { ...asked, quantity: 5, maxUnitPrice: rupiah(1) });
      return;
    }
    const attempts = simulation.inspector.attempts();
    const taken = attempts.length === 0 ? null : random.pick(attempts).idempotency_key;
    const other = {
      ...asked,
      businessJobId: job(`thief-${jobs.length}`),
      idempotencyKey: key(taken ?? 'none'),
    };
    askFor(simulation, instance, { ...other, caller: random.pick(callers) });
  },

  /** One job, asked for by many clients at the same instant. */
  crowd(simulation) {
    const asked = newCreate(simulation);
    simulation.jobs.push(asked);
    for (let n = 0; n < 5; n++) {
      const instance = simulation.pick();
      if (instance !== null) askFor(simulation, instance, asked);
    }
  },

  act(simulation) {
    const instance = simulation.pick();
    const id = anOrder(simulation);
    if (instance === null || id === null) return;
    act(simulation, instance, anAct(simulation), whose(simulation, id), id);
  },

  /** One action, asked for by several at the same instant. */
  rush(simulation) {
    const id = anOrder(simulation);
    if (id === null) return;
    const what = anAct(simulation);
    const caller = whose(simulation, id);
    for (let n = 0; n < 3; n++) {
      const instance = simulation.pick();
      if (instance !== null) act(simulation, instance, what, caller, id);
    }
  },

  reactivate(simulation) {
    const { random, clock, inspector, jobs, tiers } = simulation;
    const instance = simulation.pick();
    const completed = inspector
      .orders()
      .filter(({ status, owner }) => status === 'COMPLETED' && owner !== null);
    if (instance === null || completed.length === 0) return;
    const id = must(parseOrderId(random.pick(completed).id));
    const asked = {
      kind: 'REACTIVATE',
      caller: whose(simulation, id),
      businessJobId: job(`job-${jobs.length}`),
      orderId: id,
      maxCost: rupiah(random.pick([1, 3]) * must(tiers[0]).price),
      idempotencyKey: null,
      // A replay that is refused proves nothing, and would go on for an hour.
      reviewThresholdAt: later(clock.now(), random.integer(20, 90) * SECOND),
    } as const;
    jobs.push(asked);
    askFor(simulation, instance, asked);
  },

  /** Somebody writes to a number. */
  async message({ random, sandbox, truth, note }) {
    const open = await sandbox.openOrders();
    if (open.length === 0) return;
    const id = random.pick(open);
    const text = `canary ${id} ${random.token()}`;
    const told = sandbox.steer('POST sms', { order_id: id, message: text });
    const revision = Number(told['sms_revision']);
    truth.sent(id, revision, text);
    note(`the provider has message ${revision} of ${id}`);
  },

  async expire({ random, sandbox, note }) {
    const open = await sandbox.openOrders();
    if (open.length === 0) return;
    const id = random.pick(open);
    sandbox.steer(`POST orders/${id}/expire`);
    note(`the window of ${id} ends`);
  },

  spoilWebhooks({ random, sandbox, note }) {
    const kind = random.pick([
      'webhook_drop',
      'webhook_duplicate',
      'webhook_delay',
      'webhook_reorder',
      'webhook_bad_signature',
    ]);
    const ms =
      kind === 'webhook_delay' || kind === 'webhook_reorder' ? { ms: random.integer(100, 30_000) } : {};
    const times = random.integer(1, 3);
    sandbox.steer('POST faults', { kind, times, ...ms });
    note(`${times} webhooks will meet ${kind}`);
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

  async start(simulation) {
    const { instances, profile } = simulation;
    if (instances.size < 2) await simulation.start(profile.polling);
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

function anAct({ random }: Simulation): Act {
  return random.weighted({ cancel: 3, finish: 3, resend: 3, read: 1 });
}

/** Any order that the gateway knows, or now and then one that nobody does. */
function anOrder({ random, inspector }: Simulation): OrderId | null {
  const orders = inspector.orders();
  if (orders.length === 0) return null;
  return parseOrderId(random.chance(0.03) ? 1 : random.pick(orders).id);
}

/** Its owner, or now and then somebody else. */
function whose({ random, inspector }: Simulation, id: OrderId) {
  const owner = inspector.orders().find((order) => order.id === id)?.owner ?? null;
  const other = random.pick(callers);
  return random.chance(0.9) ? (callers.find((caller) => caller === owner) ?? other) : other;
}
