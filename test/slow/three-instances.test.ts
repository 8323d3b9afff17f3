import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBuyers } from '../instances/buyers.ts';
import { wreak } from '../instances/chaos.ts';
import type { Evidence, SentMessage } from '../instances/evidence.ts';
import { type Follower, follow } from '../instances/follower.ts';
import { findPostgresPrograms } from '../instances/own-postgres.ts';
import { findRedisProgram } from '../instances/own-redis.ts';
import { readDatabase, readLedger } from '../instances/read-evidence.ts';
import { startSupplierWorkers } from '../instances/supplier-workers.ts';
import { violations } from '../instances/violations.ts';
import { CALLERS, openWorld, type World } from '../instances/world.ts';
import { seededRandom } from '../support/seeded-random.ts';

const postgres = findPostgresPrograms();
const redis = findRedisProgram();
const programs = postgres === null || redis === null ? null : { postgres, redis };
if (programs === null) {
  if (process.env['CI'] === 'true') throw new Error('there are no programs of PostgreSQL and Redis');
  process.stderr.write('PostgreSQL or Redis is not installed: the test of three instances is left out.\n');
}

/** Longer than the lease of an instance that died in the middle of a send, or stands still. */
const LEASE_OVER = 48_000;
const MESSAGE = 'revision message cursor order { id }';
const OF_ALL = `subscription ($after: String) { smsReceived(after: $after) { ${MESSAGE} } }`;
const OF_ONE = `subscription ($id: ID!, $after: Int!) { smsReceived(orderId: $id, afterRevision: $after) { ${MESSAGE} } }`;

describe.runIf(programs !== null)('three instances on one PostgreSQL and one Redis', () => {
  test('keep every promise while they are killed and stopped, and their servers are started again', async () => {
    const seed = Number(process.env['SEED'] ?? randomInt(1, 1_000_000));
    process.stdout.write(
      `seed ${seed} (SEED=${seed} repeats what is done to them, though not the moments)\n`,
    );
    const world = await openWorld(programs ?? { postgres: '', redis: '' }, seed);
    onTestFinished(async () => {
      writeLogs(world);
      await world.close();
    }, 20_000);
    const followers = CALLERS.flatMap((name) => [followAll(world, name), followAll(world, name)]);
    followers.push(followAll(world, 'ops'));
    const buyers = await startBuyers(world);
    buyers.onOrder((id) => {
      if (id % 20 === 0) followers.push(followOne(world, id));
    });
    const suppliers = await startSupplierWorkers(world);

    const done = await wreak(world, seededRandom(seed));
    process.stdout.write(`${done.join('\n')}\n`);

    // One stands still in the middle of everything for so long that the others take over what it holds.
    const sleeper = world.random.pick(world.instances);
    sleeper.freeze();
    const wakesAt = Date.now() + LEASE_OVER;
    await Promise.all([buyers.stop(), suppliers.stop()]);
    await Promise.all([buyers.askAllAgain(), suppliers.deliverAllAgain()]);
    await pause(wakesAt - Date.now());
    sleeper.thaw();
    for (const { settle } of [...followers.map((one) => one.follower), ...suppliers.followers]) settle();
    await expireAll(world);
    await expect
      .poll(() => unrest(world), { interval: 500, timeout: 60_000 })
      .toEqual({ attempts: 0, orders: 0, inbox: 0, deliveries: 0 });

    const database = await readDatabase(world.postgres.url);
    const messagesOf = ({ of }: Following) =>
      database.messages.filter(
        ({ orderId, owner }) =>
          of.kind === 'all' || (of.kind === 'order' ? of.id === orderId : of.name === owner),
      ).length;
    // Whoever has not heard all by then has missed something.
    await within(20_000, () => followers.every((one) => one.follower.items.length >= messagesOf(one)));
    const claims = database.claimed.length - 1 - database.claimed.indexOf(suppliers.first);
    await within(5_000, () => suppliers.followers.every(({ items }) => items.length >= claims));
    await Promise.all(
      [...followers.map(({ follower }) => follower), ...suppliers.followers].map((one) => one.stop()),
    );

    const evidence: Evidence = {
      ...(await readDatabase(world.postgres.url)),
      ...readLedger(await world.control('ledger')),
      asked: buyers.asked,
      sent: buyers.sent,
      acknowledged: world.door.acknowledged,
      planned: suppliers.planned,
      followed: followers.map(({ of, follower }) => ({ of, items: follower.items })),
      claimsSeen: suppliers.followers.map(({ items }) => [
        ...database.claimed.slice(0, database.claimed.indexOf(suppliers.first) + 1),
        ...items,
      ]),
    };
    process.stdout.write(`${summary(evidence)}\n`);
    expect({ seed, violations: violations(evidence) }).toEqual({ seed, violations: [] });
    // It is no proof where nothing happened.
    expect(evidence.charges.length).toBeGreaterThan(50);
    expect(evidence.messages.length).toBeGreaterThan(50);
    expect(evidence.deliveredLines.length).toBeGreaterThan(20);
    expect(evidence.refunds.length).toBeGreaterThan(5);
  }, 300_000);
});

interface Following {
  readonly of: Evidence['followed'][number]['of'];
  readonly follower: Follower<SentMessage>;
}

function followAll(world: World, name: string): Following {
  const of = name === 'ops' ? ({ kind: 'all' } as const) : ({ kind: 'caller', name } as const);
  return { of, follower: follower(world, name, OF_ALL, (last) => ({ after: last?.cursor })) };
}

function followOne(world: World, id: number): Following {
  const resume = (last: Sms | null) => ({ id: String(id), after: last?.revision ?? -1 });
  return { of: { kind: 'order', id }, follower: follower(world, 'ops', OF_ONE, resume) };
}

interface Sms {
  readonly revision: number;
  readonly message: string;
  readonly cursor: string;
  readonly order: { readonly id: string };
}

function follower(
  world: World,
  name: string,
  query: string,
  resume: (last: Sms | null) => Record<string, unknown>,
): Follower<SentMessage> {
  return follow({
    key: world.keyOf(name),
    query,
    pick: world.pick,
    stayMs: () => world.random.integer(1_000, 8_000),
    resume: (last) => resume(last?.data.smsReceived ?? null),
    read({ data }) {
      const { order, revision, message }: Sms = data.smsReceived;
      return { orderId: Number(order.id), revision, message };
    },
  });
}

/** The windows of all orders end: whatever was not settled by a cancel is now. */
async function expireAll(world: World): Promise<void> {
  const { charges } = readLedger(await world.control('ledger'));
  // One that has been canceled is refused.
  for (const { orderId } of charges) await world.control(`orders/${orderId}/expire`, {}).catch(() => null);
}

/** What is not at its end yet. */
async function unrest(world: World): Promise<Readonly<Record<string, number>>> {
  const { attempts, orders, inbox, openDeliveries } = await readDatabase(world.postgres.url);
  return {
    attempts: attempts.filter(({ state }) => state !== 'RESOLVED').length,
    orders: orders.filter(({ status }) => status === 'ACTIVE' || status === 'OTP_RECEIVED').length,
    inbox: inbox.filter(({ state }) => state === 'PENDING').length,
    deliveries: openDeliveries,
  };
}

function summary({
  asked,
  charges,
  refunds,
  messages,
  acknowledged,
  deliveredLines,
  claimed,
  followed,
}: Evidence): string {
  const heard = followed.reduce((total, { items }) => total + items.length, 0);
  return `${asked.length} jobs, ${charges.length} charges, ${refunds.length} refunds, ${messages.length} messages of which ${acknowledged.length} webhooks were answered, ${heard} heard by ${followed.length} followers, ${claimed.length} claims, ${deliveredLines.length} lines`;
}

/** LOG_DIRECTORY: where the instances' logs are kept, to look into what was found. */
function writeLogs({ instances }: World): void {
  const directory = process.env['LOG_DIRECTORY'];
  if (directory === undefined) return;
  for (const [index, { log }] of instances.entries())
    writeFileSync(`${directory}/instance-${index}.log`, log.join(''));
}

async function within(milliseconds: number, isSo: () => boolean): Promise<void> {
  for (const endsAt = Date.now() + milliseconds; Date.now() < endsAt && !isSo(); ) await pause(100);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(milliseconds, 0)));
}
