import type { SeededRandom } from '../support/seeded-random.ts';
import type { Instance } from './fleet.ts';
import type { World } from './world.ts';

/** What happens to the servers that all instances stand on, and at which second. */
const SERVERS = [
  { at: 8, what: 'redis' },
  { at: 16, what: 'postgres, fast' },
  { at: 24, what: 'redis' },
  { at: 32, what: 'postgres, immediate' },
] as const;
const SECONDS = 40;

/** Every few seconds one instance is killed or stands still, and all servers are started again. Returns what was done. */
export async function wreak(world: World, random: SeededRandom): Promise<readonly string[]> {
  const startedAt = Date.now();
  const done: string[] = [];
  const elapsed = (): number => (Date.now() - startedAt) / 1_000;
  const note = (what: string): void => void done.push(`${elapsed().toFixed(1)} s: ${what}`);

  async function servers(): Promise<void> {
    for (const { at, what } of SERVERS) {
      await pause(at * 1_000 - (Date.now() - startedAt));
      note(what);
      switch (what) {
        case 'redis':
          await world.redis.restart(1_500);
          break;
        case 'postgres, fast':
          await world.postgres.restart('SIGINT');
          break;
        case 'postgres, immediate':
          await world.postgres.restart('SIGQUIT');
      }
      await world.reconnectWebhook();
    }
  }

  const away = new Set<Instance>();
  const returning: Promise<void>[] = [];
  let hits = 0;

  async function instances(): Promise<void> {
    while (elapsed() < SECONDS) {
      await pause(random.integer(2_000, 4_000));
      const victim = random.pick(world.instances.filter((instance) => !away.has(instance)));
      // One at least is always there: with all of them away nothing would happen.
      if (away.size === world.instances.length - 1) continue;
      away.add(victim);
      returning.push(hit(victim).finally(() => away.delete(victim)));
    }
    await Promise.all(returning);
  }

  async function hit(victim: Instance): Promise<void> {
    const name = `instance ${world.instances.indexOf(victim)}`;
    hits += 1;
    if (hits % 2 === 1) {
      note(`${name} is killed`);
      await killed(victim, random.integer(0, 1_000));
      note(`${name} serves again`);
      return;
    }
    const milliseconds = random.integer(1_500, 7_000);
    note(`${name} stands still for ${milliseconds} ms`);
    victim.freeze();
    await pause(milliseconds);
    victim.thaw();
  }

  await Promise.all([servers(), instances()]);
  return done;
}

async function killed(instance: Instance, awayMs: number): Promise<void> {
  await instance.kill();
  await pause(awayMs);
  // While the database is away it refuses to start: whoever runs it starts it again.
  for (let tries = 0; ; tries++) {
    try {
      return await instance.start();
    } catch (error) {
      if (tries > 20) throw error;
      await pause(500);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(milliseconds, 0)));
}
