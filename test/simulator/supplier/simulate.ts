import type { SupplierOrder } from '../../../src/domain/supplier/order.ts';
import { foldLine } from '../../../src/domain/supplier/plan.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { followClaims } from '../../../src/flows/supplier/follow-claims.ts';
import { linesOfBody } from '../../../src/store/delivery-body.ts';
import { SANDBOX_KEY } from '../../support/sandbox-names.ts';
import { must } from '../../support/values.ts';
import type { Grounds } from '../ground.ts';
import { type Subscriber, subscriber } from '../subscriber.ts';
import { deliver, desks, goodsOf, pull } from './desks.ts';
import { judge } from './judge.ts';
import { isCalm, type Profile } from './profile.ts';
import { MOST_INSTANCES, openSimulation, type Simulation } from './simulation.ts';
import { step } from './steps.ts';

export interface Report {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly history: readonly string[];
  /** All that the simulated upstream has written down: requests, money, claims, lines. */
  readonly ledger: string;
  readonly calls: number;
  /** Calls that were refused for a limit although nothing had gone wrong. */
  readonly limited: number;
}

/** Longer than a sender's lease, the longest wait it is told and the looks in between, once nothing goes wrong any more. */
const HEALING = 110 * SECOND;
/** A lease that hides an order, and the looks behind it. */
const HIDDEN = 31 * MINUTE;
/** Renewing looks once a minute. */
const RENEWING = 130 * SECOND;
const TURN = 2_500;
/** Orders are completed one after the other, a fifth of a second apart; asked for again where one was refused for a time. */
const MOST_ROUNDS = 12;

/** Lets one history of the supplier's side happen, lets everything come to its end, and looks whether what must hold has held. */
export async function simulate(grounds: Grounds, seed: number): Promise<Report> {
  const simulation = await openSimulation(grounds, seed);
  const { profile, random, clock, network, wire, violations, history } = simulation;
  const followers = new Map(
    desks.map((desk) => {
      const scope = { kind: 'own', caller: desk } as const;
      const follower = subscriber<SupplierOrder>(simulation, async ({ deps }, last) =>
        followClaims(deps, scope, { after: last?.claimSequence ?? 0, openUpTo: 0 }),
      );
      return [desk, follower] as const;
    }),
  );
  const connectAll = () => connect(simulation, [...followers.values()]);
  try {
    // In slow ones most of the work is their looking around.
    for (let n = 0; n < (profile.isSlow ? 1 : MOST_INSTANCES); n++) await simulation.start();
    network.setFaults(profile.faults);
    const waits = waitsOf(profile);
    for (let n = 0; n < profile.steps; n++) {
      await step(simulation);
      await clock.pass(random.pick(waits) * SECOND);
      await connectAll();
      if (random.chance(0.1)) for (const follower of followers.values()) follower.leave();
      await checkLeases(simulation, isCalm(profile));
    }
    await heal(simulation);
    await passUntil(simulation, HEALING, () => isAtRest(simulation));
    await findHidden(simulation);
    await keepLeases(simulation);
    await completeAll(simulation);
    await connectAll();
    await clock.pass(SECOND);
    await connectAll();
    await checkEnd(simulation, followers);
    if (isCalm(profile) && wire.refusals.size > 0) {
      simulation.violate(`limit: refused were ${[...wire.refusals].join(' ')}`);
    }
  } finally {
    await simulation.close();
  }
  const ledger = JSON.stringify(simulation.sandbox.steer('GET ledger'));
  return { seed, violations, history, ledger, calls: wire.calls(), limited: limitedIn(simulation) };
}

/** Seconds between two steps. Where somebody stands still, the others need the time to give him up. */
function waitsOf({ isSlow, pauses }: Profile): readonly number[] {
  if (isSlow) return [0, 60, 240];
  const short = [0, 0, 0.005, 0.2, 1, 2, 5];
  return pauses ? [...short, 40] : short;
}

/** So many milliseconds at most: what is true earlier needs no waiting. */
async function passUntil({ clock }: Simulation, most: number, isTrue: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < most && !(await isTrue()); passed += TURN) await clock.pass(TURN);
}

/** As the database's watch would: each instance looks for what others have done. */
async function connect(
  { instances, clock }: Simulation,
  followers: readonly Subscriber<SupplierOrder>[],
): Promise<void> {
  for (const { deps } of instances) deps.wake.announceAll();
  for (const follower of followers) await follower.tend();
  await clock.settle();
}

/** Nothing goes wrong any more, and one instance at least lives. */
async function heal({
  network,
  sandbox,
  instances,
  note,
  random,
  profile,
  start,
}: Simulation): Promise<void> {
  note('--- nothing goes wrong any more');
  network.setFaults(0);
  sandbox.world.faults.clear();
  for (const one of instances) {
    one.fillDisk(false);
    one.life.dieAt(Number.POSITIVE_INFINITY, false);
    one.life.pauseAt(Number.POSITIVE_INFINITY, 0);
    one.life.goOn();
  }
  for (const one of instances)
    if (instances.size > 1 && random.chance(profile.dies ? 0.5 : 0)) one.life.end();
  if (instances.size === 0) await start();
}

/** No client waits, no delivery is pending, and every claim that shows is written down. */
async function isAtRest(simulation: Simulation): Promise<boolean> {
  if (simulation.waiting() > 0 || (await pendingDeliveries(simulation)) > 0) return false;
  return (await forgotten(simulation)).every(({ isHidden }) => isHidden);
}

async function pendingDeliveries(simulation: Simulation): Promise<number> {
  return (await deliveriesOfAll(simulation)).filter(({ state }) => state === 'PENDING').length;
}

async function deliveriesOfAll({ beside }: Simulation) {
  const claims = await beside.supplier.claimsAfter({ kind: 'all' }, 0, 10_000);
  return beside.supplier.deliveries(claims.map(({ id }) => id));
}

async function forgotten({ platform, beside }: Simulation) {
  const claims = await beside.supplier.claimsAfter({ kind: 'all' }, 0, 10_000);
  const known = new Set<string>(claims.map(({ id }) => id));
  const made = new Set(platform.claims());
  return platform.orders().filter(({ id }) => made.has(id) && !known.has(id));
}

/** Claims whose answer was lost behind somebody's lease show up when that has run out. */
async function findHidden(simulation: Simulation): Promise<void> {
  const found = async () => (await forgotten(simulation)).length === 0;
  if (await found()) return;
  simulation.note('--- claims are hidden');
  // The others would find nothing else, and take their time to.
  for (const one of [...simulation.instances].slice(1)) one.life.end();
  await passUntil(simulation, HIDDEN, found);
}

/** Where leases are held, those that renew them get the time to. */
async function keepLeases(simulation: Simulation): Promise<void> {
  if (simulation.leases.held.size === 0) return;
  await simulation.clock.pass(RENEWING);
  await checkLeases(simulation, true);
}

/** Renewal before it runs out, while a claimed order is open here. */
async function checkLeases(simulation: Simulation, mustHold: boolean): Promise<void> {
  const { leases, platform, violate } = simulation;
  if (!mustHold || leases.held.size === 0) return;
  const open = await simulation.openClaims();
  for (const { id } of open) {
    if (leases.held.has(id) && platform.order(id)?.isHidden !== true) {
      violate(`the lease of ${id} has run out`);
      leases.begin(id);
    }
  }
}

/** Every order that is claimed gets all that it wants. */
async function completeAll(simulation: Simulation): Promise<void> {
  const { pick, random, platform } = simulation;
  pull(simulation, must(pick()), random.pick(desks), 500);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await passUntil(simulation, HEALING, () => isAtRest(simulation));
    const open = (await simulation.openClaims()).filter(({ id }) => platform.order(id)?.foreign === false);
    if (open.length === 0 && round > 0) return;
    for (const order of open) {
      // What is full and was not closed is closed by what is there.
      const isFull = order.deliveredCount >= order.quantity;
      const status = isFull ? 'COMPLETED' : null;
      const wish = { lines: goodsOf(order), status, overflow: 'SEND_WHAT_FITS' } as const;
      deliver(simulation, must(pick()), random.pick(desks), order.id, wish);
    }
    await simulation.clock.pass(TURN);
  }
}

async function checkEnd(
  simulation: Simulation,
  followers: ReadonlyMap<string, Subscriber<SupplierOrder>>,
): Promise<void> {
  const { platform, beside, handed, violate } = simulation;
  const kept = await beside.supplier.claimsAfter({ kind: 'all' }, 0, 10_000);
  const deliveries = await deliveriesOfAll(simulation);
  const promised = new Map<string, string[]>();
  for (const { orderId, state, body } of deliveries) {
    if (state !== 'ACCEPTED') continue;
    const before = promised.get(orderId) ?? [];
    const folded = new Set(before.map(foldLine));
    promised.set(orderId, [...before, ...linesOfBody(body).filter((line) => !folded.has(foldLine(line)))]);
  }
  const wrong = judge({
    orders: platform.orders(),
    claims: platform.claims(),
    kept,
    deliveries,
    handed,
    told: new Map([...followers].map(([desk, { received }]) => [desk, received])),
    promised,
  });
  for (const what of wrong) violate(what);
  checkLogs(simulation);
}

/** I9. */
function checkLogs({ everyone, violate }: Simulation): void {
  const secret = new RegExp(`canary|${SANDBOX_KEY}`);
  for (const { name, lines } of everyone) {
    for (const { message, fields, error } of lines) {
      const text = `${message} ${JSON.stringify(fields)} ${error instanceof Error ? error.stack : ''}`;
      const found = secret.exec(text);
      if (found !== null) violate(`I9: ${name} has logged ${found[0]}: ${message}`);
    }
  }
}

function limitedIn({ wire }: Simulation): number {
  return [...wire.refusals.values()].reduce((sum, count) => sum + count, 0);
}
