import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { gateway, upstream } from './harness/gateway.ts';
import { httpLoad } from './harness/http-load.ts';
import type { Running } from './harness/process.ts';
import { median } from './harness/rounds.ts';
import { FIRST_ORDER, seedOrders } from './harness/seed.ts';
import { signedEvent } from './harness/signed-event.ts';
import { openStreams, type Streams } from './harness/streams.ts';

/*
 * What a webhook and a stream cost with one instance and with two over one PostgreSQL, each instance on a core of its own:
 * CPU time of the instances, which must stay as it is where another one is added, and webhooks a second. PostgreSQL, the
 * load and the upstream share the two cores with them, so that rates say little here and CPU says it all. In a schema of
 * its own, which is dropped afterwards. TEST_DATABASE_URL names the server.
 *
 * npm run build && npx tsx bench/instances.ts [seconds [streams]]
 */

const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const SECONDS = Number(process.argv[2] ?? 4);
const STREAMS = Number(process.argv[3] ?? 2_000);
const ROUNDS = 3;
/** Webhooks under way at once, over all instances: as many with two as with one. */
const CONNECTIONS = 64;
const CORES = ['0', '1'];

const schema = `measure_${Date.now()}_${randomBytes(3).toString('hex')}`;
const admin = new Client({ connectionString: server });
await admin.connect();
await admin.query(`create schema ${schema}`);
await admin.query(`set search_path = ${schema}`);
const database = new URL(server);
database.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=on`);
const key = randomBytes(32).toString('base64');

const stub = await upstream({});
const ours = gateway(stub.port, undefined, database.href);
const orders = Array.from({ length: STREAMS }, (_, at) => FIRST_ORDER + at);
let sequence = STREAMS;

interface Figures {
  readonly rate: number;
  /** Microseconds of CPU time. */
  readonly cpuOfWebhook: number;
  readonly cpuOfMessage: number;
  readonly bytesOfStream: number;
}

async function measure(count: number): Promise<Figures> {
  const instances = await Promise.all(
    CORES.slice(0, count).map((core) => ours.start({ ENCRYPTION_KEY: key }, core)),
  );
  const streams: Streams[] = [];
  try {
    await post(instances, 1_000);
    const rounds: { rate: number; cpu: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await post(instances, SECONDS * 1_000));

    const before = memoryOf(instances);
    for (const [at, instance] of instances.entries()) {
      const share = orders.filter((_, index) => index % count === at);
      streams.push(await openStreams(instance.port, ours.authorization, share));
    }
    await sleep(3_000);
    const bytesOfStream = (memoryOf(instances) - before) / STREAMS;
    const cpuOfWebhook = median(rounds.map(({ cpu }) => cpu));
    const followed: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      followed.push((await post(instances, SECONDS * 1_000)).cpu - cpuOfWebhook);
    }
    const rate = median(rounds.map((round) => round.rate));
    return { rate, cpuOfWebhook, cpuOfMessage: median(followed), bytesOfStream };
  } finally {
    for (const one of streams) one.close();
    for (const instance of instances) await instance.stop();
  }
}

/** Posts to all of them, and waits until what was posted has been worked off. */
async function post(
  instances: readonly Running[],
  milliseconds: number,
): Promise<{ readonly rate: number; readonly cpu: number }> {
  const before = cpuOf(instances);
  const loads = await Promise.all(
    instances.map(({ port }) =>
      httpLoad({
        port,
        connections: CONNECTIONS / instances.length,
        milliseconds,
        request: () => nextEvent(sequence++),
      }),
    ),
  );
  for (;;) {
    const { rows } = await admin.query(`select 1 from inbox where state = 'PENDING' limit 1`);
    if (rows.length === 0) break;
    await sleep(20);
  }
  await sleep(500);
  const failed = loads.reduce((sum, load) => sum + load.failed, 0);
  if (failed > 0) print(`${failed} webhooks were not taken: the provider would send them again`);
  const answered = loads.reduce((sum, load) => sum + load.answered, 0);
  return {
    rate: loads.reduce((sum, load) => sum + load.answered / load.seconds, 0),
    cpu: ((cpuOf(instances) - before) / answered) * 1e6,
  };
}

/** Each order's revisions rise by one: every event is a message. */
function nextEvent(number: number): Buffer {
  return signedEvent(FIRST_ORDER + (number % STREAMS), Math.floor(number / STREAMS));
}

function cpuOf(instances: readonly Running[]): number {
  return instances.reduce((sum, instance) => sum + instance.cpu(), 0);
}

function memoryOf(instances: readonly Running[]): number {
  return instances.reduce((sum, instance) => sum + instance.memory(), 0);
}

function line(count: number, figures: Figures): string {
  const { rate, cpuOfWebhook, cpuOfMessage, bytesOfStream } = figures;
  return [
    `${count} instance${count === 1 ? ' ' : 's'}`,
    `${Math.round(rate)} webhooks/s`,
    `${Math.round(cpuOfWebhook)} µs of CPU a webhook, worked off`,
    `${Math.round(cpuOfMessage)} µs more where a stream follows it`,
    `${(bytesOfStream / 1_024).toFixed(1)} KiB a stream`,
  ].join(' · ');
}

const seed = await ours.start({ ENCRYPTION_KEY: key });
await seedOrders(seed, ours.authorization, STREAMS);
await seed.stop();
print(`${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} webhooks at once, ${STREAMS} streams; medians`);
const one = await measure(1);
print(line(1, one));
const two = await measure(2);
print(line(2, two));
print(
  `CPU a webhook with two: ${(two.cpuOfWebhook / one.cpuOfWebhook).toFixed(2)} times that with one; rate: ${(two.rate / one.rate).toFixed(2)} times`,
);
await stub.stop();
await admin.query(`drop schema ${schema} cascade`);
await admin.end();

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
