import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import type { OrderId } from '../src/domain/ids.ts';
import { parseOrderId } from '../src/domain/ids.ts';
import type { InboxEntry } from '../src/ports/store/inbox.ts';
import { openPostgresStore } from '../src/store/postgres/open.ts';
import { systemClock } from '../src/system-clock.ts';
import { systemRandom } from '../src/system-random.ts';
import { createInProcessWake } from '../src/wake/in-process.ts';
import { createPostgresWake } from '../src/wake/postgres.ts';

/*
 * How many webhooks a second PostgreSQL takes in: one insert a request, and what comes together committed together, in one
 * run on one machine, with synchronous_commit on. And what NOTIFY costs a commit: in it, behind it, or none. In a schema of
 * its own, which is dropped afterwards. TEST_DATABASE_URL names the server.
 *
 * npx tsx scripts/measure-ingest.ts [seconds]
 */

const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const SECONDS = Number(process.argv[2] ?? 3);
/** Requests that wait for their answer at once. */
const REQUESTS = 512;
const CONNECTIONS = 12;
/** A message event as the provider sends it is about so long. */
const BODY = Buffer.alloc(480, 'x');

const schema = `measure_${Date.now()}_${randomBytes(3).toString('hex')}`;
const admin = new Client({ connectionString: server });
await admin.connect();
await admin.query(`create schema ${schema}`);
const url = new URL(server);
url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=on`);

let next = 0;
function entry(): InboxEntry {
  next += 1;
  const orderId: OrderId | null = parseOrderId(next % 1_000_000);
  const dedupeKey = `order.otp_received:${next}:0`;
  return { dedupeKey, event: 'order.otp_received', orderId, revision: 0, body: BODY, rejected: false };
}

/** So many askers, each with the next one as soon as it is answered. Returns the answers a second. */
async function rate(askers: number, ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  const end = start + SECONDS * 1_000;
  let answered = 0;
  await Promise.all(
    Array.from({ length: askers }, async () => {
      while (performance.now() < end) {
        await ask();
        answered += 1;
      }
    }),
  );
  return answered / ((performance.now() - start) / 1_000);
}

const local = createInProcessWake(() => undefined);
const environs = {
  clock: systemClock,
  random: systemRandom,
  log: { info: () => undefined, warn: () => undefined },
};
const wake = await createPostgresWake({ url: url.href, local, ...environs });
const store = await openPostgresStore({
  url: url.href,
  wake,
  random: systemRandom,
  timers: systemClock,
  poolSize: CONNECTIONS,
  cipher: {
    seal: (content) => Buffer.from(content),
    open: (sealed) => Buffer.from(sealed).toString(),
    openBytes: (sealed) => sealed,
    isCurrent: () => true,
    sealAlike: (text) => Buffer.from(text),
    formsOf: (text) => [Buffer.from(text)],
  },
});
const pool = new Pool({ connectionString: url.href, max: CONNECTIONS });

const INSERT = `insert into inbox (dedupe_key, event, order_id, revision, body, state, received_at, tries, next_try_at)
  values ($1, $2, $3, $4, $5, 'PENDING', 0, 0, 0) on conflict (dedupe_key) do nothing`;
const insertOne = () => {
  const { dedupeKey, event, orderId, revision, body } = entry();
  return pool.query({ name: 'insert', text: INSERT, values: [dedupeKey, event, orderId, revision, body] });
};

const [{ synchronous_commit: durable } = { synchronous_commit: '' }] = (
  await pool.query<{ synchronous_commit: string }>('show synchronous_commit')
).rows;
console.log(
  `${SECONDS} s each, ${REQUESTS} requests at once, ${CONNECTIONS} connections, synchronous_commit ${durable}`,
);
// Once before it counts: caches, prepared statements, the first pages of the table.
await rate(32, insertOne);
await rate(REQUESTS, () => store.inbox.insert(entry()));
const single = await rate(REQUESTS, insertOne);
const grouped = await rate(REQUESTS, () => store.inbox.insert(entry()));
const lone = await rate(1, () => store.inbox.insert(entry()));
console.log(`one insert a request:   ${Math.round(single)} webhooks/s`);
console.log(
  `committed together:     ${Math.round(grouped)} webhooks/s, ${(grouped / single).toFixed(1)} times as many`,
);
console.log(`one request at a time:  ${Math.round(lone)} webhooks/s`);

/** Small commits on all connections at once, with three instances that listen. */
async function commits(end: string): Promise<number> {
  return rate(CONNECTIONS, async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { dedupeKey, event, orderId, revision, body } = entry();
      await client.query({
        name: 'insert',
        text: INSERT,
        values: [dedupeKey, event, orderId, revision, body],
      });
      await client.query(end);
    } finally {
      client.release();
    }
  });
}
const listeners = await Promise.all(
  Array.from({ length: 3 }, async () => {
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.query('listen measured');
    return client;
  }),
);
const NOTE = `select pg_notify('measured', 'attempt:0123456789abcdef')`;
const ways = [
  ['none', 'commit'],
  ['in the transaction', `${NOTE}; commit`],
  ['behind the commit', `commit; ${NOTE}`],
] as const;
// In turns, so that what else the machine does meanwhile falls on all of them.
const rates = ways.map((): number[] => []);
for (let round = 0; round < 5; round++) {
  for (const [index, [, end]] of ways.entries()) rates[index]?.push(await commits(end));
}
for (const [index, [what]] of ways.entries()) {
  const sorted = (rates[index] ?? []).sort((a, b) => a - b);
  console.log(`NOTIFY ${what.padEnd(20)} ${Math.round(sorted[2] ?? 0)} commits/s (median of five)`);
}

for (const client of listeners) await client.end();
await pool.end();
await store.close();
await wake.close();
await admin.query(`drop schema ${schema} cascade`);
await admin.end();
