import { rmSync } from 'node:fs';
import type { Product } from '../../src/domain/catalog/product.ts';
import { type CallerName, parseKeyId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { CreateRequest, ReactivateRequest } from '../../src/domain/orders/compare.ts';
import { formatInstant } from '../../src/domain/time.ts';
import type { Deps } from '../../src/flows/deps.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { openSandboxWorld, type SandboxWorld } from '../support/sandbox-world.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { alice, bob, must } from '../support/values.ts';
import { type Inspector, openInspector } from './inspector.ts';
import { DISK_FULL, type Instance, openInstance } from './instance.ts';
import { createNetwork, type Network } from './network.ts';
import { type Profile, profileOf } from './profile.ts';
import { createStores } from './stores.ts';
import { template } from './template.ts';
import { createTruth, type Truth } from './truth.ts';
import { createWebhookRoute } from './webhook-route.ts';

export type Asked = CreateRequest | ReactivateRequest;

/** One history under way: two callers, up to two instances, one database, one provider. */
export interface Simulation {
  readonly profile: Profile;
  readonly random: SeededRandom;
  readonly clock: FakeClock;
  readonly sandbox: SandboxWorld;
  readonly network: Network;
  readonly inspector: Inspector;
  readonly truth: Truth;
  readonly tiers: readonly Product[];
  /** Those that live. */
  readonly instances: ReadonlySet<Instance>;
  /** All that ever lived. */
  readonly everyone: readonly Instance[];
  /** What was asked for, the first time. */
  readonly jobs: Asked[];
  readonly history: readonly string[];
  readonly violations: readonly string[];
  note(line: string): void;
  violate(what: string): void;
  start(polls: boolean): Promise<Instance>;
  /** One that lives; null when none does. */
  pick(): Instance | null;
  /** A client's request. Of an instance that dies no answer ever comes. `judge` says in words what it came to. */
  ask<Answer>(
    instance: Instance,
    label: string,
    work: (deps: Deps) => Promise<Answer>,
    judge: (answer: Answer) => string,
  ): void;
  /** Clients that still wait for an answer. */
  waiting(): number;
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
  const history: string[] = [];
  const violations: string[] = [];
  const instances = new Set<Instance>();
  const everyone: Instance[] = [];
  const waiting = new Set<Pick<Instance, 'life'>>();

  const note = (line: string): void => {
    history.push(`${formatInstant(clock.now()).slice(11, 23)} ${line}`);
  };
  const violate = (what: string): void => {
    violations.push(what);
    note(`!!! ${what}`);
  };
  const pick = (): Instance | null => (instances.size === 0 ? null : random.pick([...instances]));
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
    onPost: truth.posted,
    note,
  });

  const simulation: Simulation = {
    profile,
    random,
    clock,
    sandbox,
    network,
    inspector,
    truth,
    tiers,
    instances,
    everyone,
    jobs: [],
    history,
    violations,
    note,
    violate,
    pick,
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
          for (const one of instances) if (one.life.isOver()) instances.delete(one);
          note(`${name} dies ${point}`);
          truth.excuse();
        },
      });
      instances.add(instance);
      everyone.push(instance);
      note(`${name} starts${polls ? ', and polls' : ''}`);
      return instance;
    },
    ask({ name, life, deps }, label, work, judge) {
      note(`${name} is asked: ${label}`);
      const client = { life };
      waiting.add(client);
      work(deps)
        .then(
          (answer) => note(`${name} answers: ${label}: ${judge(answer)}`),
          (error: unknown) => {
            if (error instanceof Error && error.message === DISK_FULL) note(`${label}: ${DISK_FULL}`);
            else violate(`${label} fails: ${String(error)}`);
          },
        )
        .finally(() => waiting.delete(client));
    },
    waiting: () => [...waiting].filter(({ life }) => !life.isOver()).length,
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
