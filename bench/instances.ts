import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { gateway, upstream } from './harness/gateway.ts';
import { pacedLoad } from './harness/paced-load.ts';
import type { Running } from './harness/process.ts';
import { median } from './harness/rounds.ts';
import { FIRST_ORDER, seedOrders } from './harness/seed.ts';
import { signedEvent } from './harness/signed-event.ts';
import { openStreams, type Streams } from './harness/streams.ts';

/*
 * What a webhook and a stream cost with one instance and with two over one PostgreSQL, each instance on a core of its own: CPU
 * time of the instances, which must stay as it is where another one is added. Each instance is sent as many webhooks a
 * second, so that two take in twice as many; a load that waits for its answers would measure how PostgreSQL, the load and
 * the upstream share the two cores with them. In a schema of its own, which is dropped afterwards. TEST_DATABASE_URL names the
 * server.
 *
 * npm run build && npx tsx bench/instances.ts [seconds [streams [webhooks a second and instance]]]
 */

const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const SECONDS = Number(process.argv[2] ?? 4);
const STREAMS = Number(process.argv[3] ?? 2_000);
/** Of a core, some tenth: the others need theirs. */
const PER_SECOND = Number(process.argv[4] ?? 250);
const ROUNDS = 3;
const CONNECTIONS = 64;
/** The heap grows for the first streams, and has room for the next ones: these are opened before it is measured. */
const WARM_STREAMS = 200;
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
  const open = async (of: readonly number[]): Promise<void> => {
    for (const [at, { port }] of instances.entries()) {
      const share = of.filter((_, index) => index % count === at);
      streams.push(await openStreams(port, ours.authorization, share));
    }
    await sleep(3_000);
  };
  const cpuOfRounds = async (): Promise<number> => {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await post(instances, SECONDS * 1_000));
    return median(rounds);
  };
  try {
    await post(instances, 4_000);
    const cpuOfWebhook = await cpuOfRounds();
    await open(orders.slice(0, WARM_STREAMS * count));
    const before = memoryOf(instances);
    await open(orders.slice(WARM_STREAMS * count));
    const bytesOfStream = (memoryOf(instances) - before) / (STREAMS - WARM_STREAMS * count);
    const cpuOfMessage = (await cpuOfRounds()) - cpuOfWebhook;
    return { cpuOfWebhook, cpuOfMessage, bytesOfStream };
  } finally {
    for (const one of streams) one.close();
    for (const instance of instances) await instance.stop();
  }
}

/** Posts to all of them, and waits until what was posted has been worked off. Microseconds of CPU a webhook. */
async function post(instances: readonly Running[], milliseconds: number): Promise<number> {
  const before = cpuOf(instances);
  const loads = await Promise.all(
    instances.map(({ port }) =>
      pacedLoad({
        port,
        connections: CONNECTIONS,
        perSecond: PER_SECOND,
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
  const used = cpuOf(instances) - before;
  const sum = (of: 'answered' | 'failed' | 'late'): number => loads.reduce((all, load) => all + load[of], 0);
  if (sum('failed') > 0)
    print(`${sum('failed')} webhooks were not taken: the provider would send them again`);
  if (sum('late') > 0) print(`${sum('late')} times a webhook was due and no connection was free`);
  return (used / sum('answered')) * 1e6;
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

function line(count: number, { cpuOfWebhook, cpuOfMessage, bytesOfStream }: Figures): string {
  return [
    `${count} instance${count === 1 ? ' ' : 's'}`,
    `${count * PER_SECOND} webhooks/s`,
    `${Math.round(cpuOfWebhook)} µs of CPU a webhook, worked off`,
    `${Math.round(cpuOfMessage)} µs more where a stream follows it`,
    `${(bytesOfStream / 1_024).toFixed(1)} KiB a stream`,
  ].join(' · ');
}

const seed = await ours.start({ ENCRYPTION_KEY: key });
await seedOrders(seed, ours.authorization, STREAMS);
await seed.stop();
print(
  `${ROUNDS} rounds of ${SECONDS} s, ${PER_SECOND} webhooks a second and instance, ${STREAMS} streams; medians`,
);
const one = await measure(1);
print(line(1, one));
const two = await measure(2);
print(line(2, two));
print(
  `With two, twice the webhooks: CPU of each ${(two.cpuOfWebhook / one.cpuOfWebhook).toFixed(2)} times that with one, followed ${((two.cpuOfWebhook + two.cpuOfMessage) / (one.cpuOfWebhook + one.cpuOfMessage)).toFixed(2)} times.`,
);
await stub.stop();
await admin.query(`drop schema ${schema} cascade`);
await admin.end();

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
