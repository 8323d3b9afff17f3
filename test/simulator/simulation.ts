import type { Product } from '../../src/domain/catalog/product.ts';
import { type CallerName, parseKeyId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { CreateRequest, ReactivateRequest } from '../../src/domain/orders/compare.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { openSandboxWorld, type SandboxWorld } from '../support/sandbox-world.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { alice, bob, must } from '../support/values.ts';
import type { Grounds } from './ground.ts';
import type { Inspector } from './inspector.ts';
import { type BuyingInstance, openInstance } from './instance.ts';
import { createNetwork, type Network } from './network.ts';
import { type Profile, profileOf } from './profile.ts';
import { createStage, type Stage } from './stage.ts';
import { tiersToOrder } from './tiers.ts';
import { createTruth, type Truth } from './truth.ts';
import { createWebhookRoute } from './webhook-route.ts';

export type Asked = CreateRequest | ReactivateRequest;

/** One history under way: two callers, up to two instances, one database, one provider. */
export interface Simulation extends Stage<BuyingInstance> {
  readonly profile: Profile;
  readonly random: SeededRandom;
  readonly clock: FakeClock;
  readonly sandbox: SandboxWorld;
  readonly network: Network;
  readonly inspector: Inspector;
  readonly truth: Truth;
  readonly tiers: readonly Product[];
  /** What was asked for, the first time. */
  readonly jobs: Asked[];
  start(polls: boolean): Promise<BuyingInstance>;
  close(): Promise<void>;
}

/** Alice has a budget, bob has none. */
export const callers: readonly CallerName[] = [alice, bob];

const POLL_INTERVAL = 10_000;

export async function openSimulation(grounds: Grounds, seed: number): Promise<Simulation> {
  const random = seededRandom(seed);
  const profile = profileOf(random);
  const tiers = tiersToOrder();
  const ground = await grounds.borrow(seed, profile.reopens);
  const { clock } = ground;
  const inspector = await ground.openInspector();
  const within = ground.count({ look: () => inspector.look() });
  const stage = createStage<BuyingInstance>(clock, random);
  const { instances, everyone, note, violate, pick } = stage;
  const truth = createTruth(clock.now, inspector, violate);
  const route = createWebhookRoute({
    clock,
    random,
    pick,
    look: () => within.look(),
    truth: () => truth,
    note,
  });
  const sandbox = openSandboxWorld(clock, profile.webhooks ? route : null);
  sandbox.steer('POST settings', {
    minimum_cancel_seconds: random.integer(0, 20),
    rental_seconds: random.integer(60, 240),
    resend_cooldown_seconds: 3,
    number_delay_seconds: random.pick([0, 0, 5, 'auto']),
    sms_delay_seconds: null,
    webhook_retry_seconds: [2, 5, 10, 20],
    rate_per_minute: null,
    cancels_per_day: null,
    abuse_guard: false,
    reactivation: 'always',
    ...(random.chance(0.1) ? { balance: random.integer(0, 60_000) } : {}),
  });
  const network = createNetwork({
    clock,
    random,
    world: sandbox.world,
    http: sandbox.http,
    async onSend(call) {
      if (call.method !== 'POST') return null;
      await within.look();
      return truth.posted(call);
    },
    wrongShape: { data: { orders: null } },
    note,
  });

  const simulation: Simulation = {
    ...stage,
    profile,
    random,
    clock,
    sandbox,
    network,
    inspector,
    truth,
    tiers,
    jobs: [],
    async start(polls) {
      const name = String.fromCharCode(65 + everyone.length);
      const instance = await openInstance({
        name,
        seed: seed * 100 + everyone.length,
        ground,
        clock,
        wayOut: network.wayOut,
        tiers,
        jitter: profile.jitter,
        pollInterval: polls ? POLL_INTERVAL : null,
        onDeath(point) {
          stage.bury();
          note(`${name} dies ${point}`);
          void within.look().then(truth.excuse);
        },
      });
      stage.enter(instance);
      note(`${name} starts${polls ? ', and polls' : ''}`);
      return instance;
    },
    async close() {
      for (const one of instances) one.life.end();
      await clock.settle();
      inspector.close();
      sandbox.close();
      await ground.close();
    },
  };

  const first = await simulation.start(profile.polling);
  await clock.until(
    first.deps.store.keys.create(
      {
        id: must(parseKeyId('limit')),
        hash: 'hash',
        caller: alice,
        scopes: ['BUYER'],
        expiresAt: null,
        budgetLimit: rupiah(random.integer(3, 30) * must(tiers[0]).price),
      },
      { kind: 'shell' },
    ),
  );
  if (profile.isDouble) await simulation.start(false);
  return simulation;
}
