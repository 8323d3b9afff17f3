import { rmSync } from 'node:fs';
import type { Product } from '../../src/domain/catalog/product.ts';
import { type CallerName, parseKeyId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { CreateRequest, ReactivateRequest } from '../../src/domain/orders/compare.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { openSandboxWorld, type SandboxWorld } from '../support/sandbox-world.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { alice, bob, must } from '../support/values.ts';
import { type Inspector, openInspector } from './inspector.ts';
import { type Instance, openInstance } from './instance.ts';
import { createNetwork, type Network } from './network.ts';
import { type Profile, profileOf } from './profile.ts';
import { createStage, type Stage } from './stage.ts';
import { createStores } from './stores.ts';
import { template } from './template.ts';
import { createTruth, type Truth } from './truth.ts';
import { createWebhookRoute } from './webhook-route.ts';

export type Asked = CreateRequest | ReactivateRequest;

/** One history under way: two callers, up to two instances, one database, one provider. */
export interface Simulation extends Stage<Instance> {
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
  start(polls: boolean): Promise<Instance>;
  close(): void;
}

/** Alice has a budget, bob has none. */
export const callers: readonly CallerName[] = [alice, bob];

const POLL_INTERVAL = 10_000;

export async function openSimulation(seed: number): Promise<Simulation> {
  const random = seededRandom(seed);
  const profile = profileOf(random);
  const clock = createFakeClock();
  const { tiers, copy } = await template();
  const { directory, file } = copy();
  const stores = createStores(file, clock, profile.reopens);
  const inspector = openInspector(file);
  const stage = createStage<Instance>(clock, random);
  const { instances, everyone, note, violate, pick } = stage;
  const truth = createTruth(clock.now, inspector, violate);
  const route = createWebhookRoute({ clock, random, pick, truth: () => truth, note });
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
    onSend: async (call) => (call.method === 'POST' ? truth.posted(call) : null),
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
        stores,
        clock,
        wayOut: network.wayOut,
        tiers,
        jitter: profile.jitter,
        pollInterval: polls ? POLL_INTERVAL : null,
        onDeath(point) {
          stage.bury();
          note(`${name} dies ${point}`);
          truth.excuse();
        },
      });
      stage.enter(instance);
      note(`${name} starts${polls ? ', and polls' : ''}`);
      return instance;
    },
    close() {
      for (const one of instances) one.life.end();
      stores.closeAll();
      inspector.close();
      sandbox.close();
      rmSync(directory, { recursive: true });
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
