import { parseOrderId } from '../../src/domain/ids.ts';
import { closeAttempt } from '../../src/flows/orders/close-attempt.ts';
import { alice, job, must } from '../support/values.ts';
import { checkEnd, checkFollowers, checkLiveness, hasAllEnded, hasReviews, isAtRest } from './checks.ts';
import type { Grounds } from './ground.ts';
import { LONGEST_DELAY } from './network.ts';
import { actor } from './requests.ts';
import { callers, openSimulation, type Simulation } from './simulation.ts';
import { step } from './steps.ts';
import { followCaller, followOne, type Subscriber } from './subscriber.ts';

export interface Report {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly history: readonly string[];
  /** All that the simulated upstream has written down: requests, money, claims, lines. */
  readonly ledger: string;
}

/** Longer than a lease, the longest backoff and the looks in between, once nothing goes wrong any more. */
const HEALING = 110_000;
/** A call that is under way, two polls behind it, and the reads of what they miss. */
const LAST_POLLS = 60_000;
const TURN = 2_500;

/** Lets one history happen, lets everything come to its end, and looks whether what must hold has held. */
export async function simulate(grounds: Grounds, seed: number): Promise<Report> {
  const simulation = await openSimulation(grounds, seed);
  const { profile, random, clock, truth, network, inspector } = simulation;
  const followers = new Map(callers.map((caller) => [caller, followCaller(simulation, caller)]));
  const ofOrders: Subscriber[] = [];
  try {
    network.setFaults(profile.faults);
    for (let n = 0; n < profile.steps; n++) {
      await inspector.look();
      await step(simulation);
      await clock.pass(random.pick([0, 0, 5, 200, 1_000, 2_000, 5_000]));
      await connect(simulation, [...followers.values(), ...ofOrders]);
      await inspector.look();
      const order = random.pick([null, ...inspector.orders()]);
      if (ofOrders.length < 3 && order !== null && order.owner !== null) {
        const caller = must(callers.find((one) => one === order.owner));
        ofOrders.push(followOne(simulation, caller, must(parseOrderId(order.id))));
      }
      if (random.chance(0.1)) for (const follower of followers.values()) follower.leave();
      truth.lookAgain();
    }
    await heal(simulation);
    await passUntil(simulation, HEALING, () => isAtRest(simulation));
    checkLiveness(simulation);
    if (hasReviews(simulation)) await clock.pass(LONGEST_DELAY);
    await inspector.look();
    await closeReviews(simulation);
    await endOrders(simulation);
    await connect(simulation, [...followers.values(), ...ofOrders]);
    await clock.pass(1_000);
    await connect(simulation, [...followers.values(), ...ofOrders]);
    await clock.settle();
    await inspector.look();
    truth.lookAgain();
    checkEnd(simulation);
    const received = [...followers].map(([caller, { received: list }]) => [caller, list] as const);
    await checkFollowers(simulation, new Map(received));
    for (const { received: list } of ofOrders)
      checkRising(
        simulation,
        list.map(({ revision }) => revision),
      );
  } finally {
    await simulation.close();
  }
  return {
    seed,
    violations: simulation.violations,
    history: simulation.history,
    ledger: JSON.stringify(simulation.sandbox.steer('GET ledger')),
  };
}

/** So many milliseconds at most: what is true earlier needs no waiting. */
async function passUntil(
  { clock, inspector }: Simulation,
  most: number,
  isTrue: () => boolean,
): Promise<void> {
  await inspector.look();
  for (let passed = 0; passed < most && !isTrue(); passed += TURN) {
    await clock.pass(TURN);
    await inspector.look();
  }
}

/** As the database's watch would: each instance looks for what others have done. */
async function connect({ instances, clock }: Simulation, followers: readonly Subscriber[]): Promise<void> {
  for (const { deps } of instances) deps.wake.announceAll();
  for (const follower of followers) await follower.tend();
  await clock.settle();
}

/** Nothing goes wrong any more, and one instance at least lives and polls. */
async function heal(simulation: Simulation): Promise<void> {
  const { network, sandbox, instances, note, random, profile } = simulation;
  note('--- nothing goes wrong any more');
  network.setFaults(0);
  sandbox.world.faults.clear();
  for (const one of instances) {
    one.fillDisk(false);
    one.life.dieAt(Number.POSITIVE_INFINITY, false);
    one.life.goOn();
  }
  // What the others keep for themselves is lost with them.
  for (const one of instances) if (random.chance(profile.dies ? 0.5 : 0.1)) one.life.end();
  if (![...instances].some(({ polls }) => polls)) await simulation.start(true);
}

/** A person closes what waits for one, with what the provider's list says. */
async function closeReviews({ inspector, sandbox, pick, clock, note, violate }: Simulation): Promise<void> {
  const instance = must(pick());
  const { charges } = sandbox.ledger();
  for (const { business_job_id: name, caller, state, idempotency_key: key } of inspector.attempts()) {
    if (state !== 'OPERATOR_REVIEW') continue;
    const orderIds = charges
      .filter((charge) => charge.idempotency_key === key)
      .map((charge) => must(parseOrderId(charge.order_id)));
    const finding = {
      caller: must(callers.find((one) => one === caller)),
      businessJobId: job(name),
      orderIds,
      note: 'seen in the list',
    };
    const closed = await clock.until(closeAttempt(instance.deps, finding, actor(alice)));
    note(`a person closes ${name} with ${orderIds}: ${closed.kind}`);
    if (closed.kind !== 'closed') violate(`the review of ${name} cannot be closed: ${closed.kind}`);
  }
}

async function endOrders(simulation: Simulation): Promise<void> {
  const { sandbox } = simulation;
  for (const id of await sandbox.openOrders()) sandbox.steer(`POST orders/${id}/expire`);
  await passUntil(simulation, LAST_POLLS, () => hasAllEnded(simulation));
}

/** I4, of one order's followers: once each, rising. */
function checkRising({ violate }: Simulation, revisions: readonly number[]): void {
  if (revisions.some((revision, n) => n > 0 && revision <= (revisions[n - 1] ?? -1))) {
    violate(`I4: a follower of one order was told ${revisions}`);
  }
}
