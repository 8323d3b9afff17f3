import { parseSupplierOrderId } from '../../../src/domain/ids.ts';
import { isOpenClaim, type SupplierOrder } from '../../../src/domain/supplier/order.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { openSandboxWorld, type SandboxWorld } from '../../support/sandbox-world.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';
import { must } from '../../support/values.ts';
import type { AnyStore, Grounds } from '../ground.ts';
import type { Instance } from '../machine.ts';
import { createNetwork, type Network } from '../network.ts';
import { createStage, type Stage } from '../stage.ts';
import { openInstance } from './instance.ts';
import type { Handed } from './judge.ts';
import { createLeases, type Leases } from './leases.ts';
import { createPlatform, type Platform } from './platform.ts';
import { type Profile, profileOf } from './profile.ts';
import { createWire, type Wire } from './wire.ts';

/** One history of the supplier's side under way: three workers, up to three instances, one database, one platform. */
export interface Simulation extends Stage<Instance> {
  readonly profile: Profile;
  readonly random: SeededRandom;
  readonly clock: FakeClock;
  readonly sandbox: SandboxWorld;
  readonly platform: Platform;
  readonly network: Network;
  readonly wire: Wire;
  readonly leases: Leases;
  readonly handed: Handed[];
  /** The database, seen from beside: what is committed, whatever the instances say of it. */
  readonly beside: AnyStore;
  start(): Promise<Instance>;
  /** What is claimed and not closed, as it is committed. */
  openClaims(): Promise<readonly SupplierOrder[]>;
  close(): Promise<void>;
}

export const MOST_INSTANCES = 3;

export async function openSimulation(grounds: Grounds, seed: number): Promise<Simulation> {
  const random = seededRandom(seed);
  const profile = profileOf(random);
  const ground = await grounds.borrow(seed, profile.reopens);
  const { clock, beside, within } = ground;
  const stage = createStage<Instance>(clock, random);
  const { instances, everyone, note, violate } = stage;
  const sandbox = openSandboxWorld(clock);
  sandbox.steer('POST settings', {
    supplier_processing_ms: random.integer(5, 80),
    supplier_not_found_seconds: random.pick([0, 0, 3]),
  });
  const platform = createPlatform(sandbox, clock);
  const wire = createWire({
    now: clock.now,
    order: platform.order,
    deliveries: (order) => within.supplier.deliveries([must(parseSupplierOrderId(order))]),
    isPunctual: !profile.pauses,
    violate,
  });
  const network = createNetwork({
    clock,
    random,
    world: sandbox.world,
    http: sandbox.http,
    onSend: wire.sent,
    wrongShape: { orders: null },
    note,
  });

  return {
    ...stage,
    profile,
    random,
    clock,
    sandbox,
    platform,
    network,
    wire,
    leases: createLeases(),
    handed: [],
    beside,
    async start() {
      const name = String.fromCharCode(65 + everyone.length);
      const instance = await openInstance({
        name,
        seed: seed * 100 + everyone.length,
        ground,
        clock,
        wayOut: network.wayOut,
        jitter: profile.jitter,
        pullEvery: profile.pullEvery,
        onDeath(point) {
          stage.bury();
          note(`${name} dies ${point}`);
        },
      });
      stage.enter(instance);
      note(`${name} starts`);
      return instance;
    },
    async openClaims() {
      const all = await beside.supplier.claimsAfter({ kind: 'all' }, 0, 10_000);
      return all.filter(isOpenClaim);
    },
    async close() {
      for (const one of instances) one.life.end();
      await clock.settle();
      sandbox.close();
      await ground.close();
    },
  };
}
