import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buy, comeAndGo, count, repeat, type Stage, spoil, supply } from './soak/actors.ts';
import { chanceOf } from './soak/chance.ts';
import { follow } from './soak/followers.ts';
import { type Graph, openGraph } from './soak/graph.ts';
import { judgeMemory, type Sample, sampleOf } from './soak/memory.ts';
import { printed, start } from './soak/program.ts';
import { judge, readAccount, readBudget } from './soak/promises.ts';
import { quiet, valueIn } from './soak/quiet.ts';
import { openUpstream } from './soak/upstream.ts';

/*
 * A day in ten minutes: the built gateway over the simulated upstreams, each a process, with buyers, suppliers and
 * subscribers that come and go, and everything going wrong that the simulation knows. In the end: flat memory, no stream
 * left open, and the six promises held against the upstreams' own ledger. Exit code 0: all of that; 1: not (and why).
 *
 * npm run soak -- [--minutes 10] [--seed N]
 */

const MINUTE = 60_000;
const SAMPLE_EVERY = 5_000;
const BUYERS = 4;
const VISITORS = 6;
/** One never gets there; the other does within the first minutes. */
const BUDGETS = { shop: 100_000_000, kiosk: 100_000 } as const;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0 && Number.isSafeInteger(seed))) throw new Error('--minutes and --seed take numbers');

const directory = mkdtempSync(join(tmpdir(), 'soak-'));
const sandbox = start(['sandbox'], { SANDBOX_PORT: '0' }, directory);
const upstream = openUpstream(await printed(sandbox, /SMSCode v1 +(\S+)\/v1/));
await upstream.control('settings', {
  rate_per_minute: null,
  cancels_per_day: null,
  abuse_guard: false,
  minimum_cancel_seconds: 1,
  rental_seconds: 45,
  webhook_retry_seconds: [1, 2, 4, 8, 16],
  balance: 1_000_000_000,
});
const env = {
  PORT: '0',
  SMSCODE_API_TOKEN: 'sandbox-token',
  SMSCODE_BASE_URL: `${upstream.origin}/v1`,
  SMSCODE_WEBHOOK_SECRET: 'soak-secret',
  SUPPLIER_API_KEY: 'sandbox-key',
  SUPPLIER_BASE_URL: `${upstream.origin}/api/admin/v2`,
  POLL_INTERVAL_SECONDS: '3',
  SUPPLIER_PULL_SECONDS: '7',
  LOG_LEVEL: 'warn',
};
const keyOf = async (...options: readonly string[]): Promise<string> => {
  const made = start(['keys', 'create', ...options], env, directory);
  await made.ended;
  return made.out().trim();
};
const keys = {
  shop: await keyOf('--caller', 'shop', '--scopes', 'BUYER', '--budget', String(BUDGETS.shop)),
  kiosk: await keyOf('--caller', 'kiosk', '--scopes', 'BUYER', '--budget', String(BUDGETS.kiosk)),
  ops: await keyOf('--caller', 'ops', '--scopes', 'OPERATOR'),
};
const gateway = start(['serve'], env, directory);
const url = await printed(gateway, /GraphiQL +(\S+)\/graphql/);
const [shop, kiosk, ops] = [openGraph(url, keys.shop), openGraph(url, keys.kiosk), openGraph(url, keys.ops)];
const buyers: readonly Graph[] = [shop, kiosk];
await ops.read(
  z.object({ connectUpstreamWebhook: z.object({ url: z.string() }) }),
  'mutation ($url: String!) { connectUpstreamWebhook(url: $url) { url } }',
  {
    url: `${url}/webhooks/smscode`,
  },
);
const products = await ops.read(
  z.object({ catalogProducts: z.object({ nodes: z.array(z.object({ catalogProductId: z.int() })).min(1) }) }),
  '{ catalogProducts(filter: { orderable: true }, orderBy: { field: PRICE }, first: 5) { nodes { catalogProductId } } }',
);
const [cheapest = { catalogProductId: 0 }, ...others] = products.catalogProducts.nodes;

const chance = chanceOf(seed);
const ending = new AbortController();
const stage: Stage = { upstream, chance, counts: new Map(), over: ending.signal };
const parting = new AbortController();
// Each stream that is open listens for the end.
setMaxListeners(0, ending.signal, parting.signal);
const followers = buyers.flatMap((graph, at) =>
  (['websocket', 'sse'] as const).map((transport) =>
    follow(`${at === 0 ? 'shop' : 'kiosk'} by ${transport}`, graph, transport, chance, parting.signal),
  ),
);

console.log(`seed ${seed}, ${minutes} minutes, gateway ${gateway.child.pid} at ${url}`);
const startedAt = Date.now();
const samples: Sample[] = [];
const overspent: string[] = [];
let jobs = 0;
const acts: Promise<void>[] = [
  ...Array.from({ length: BUYERS }, (_, n) =>
    repeat(stage, [300, 1_500], async () => {
      jobs += 1;
      const product = chance.one([cheapest, ...others]).catalogProductId;
      await buy(stage, n === 0 ? kiosk : shop, product, `job-${jobs}`);
    }),
  ),
  ...Array.from({ length: VISITORS }, (_, n) =>
    repeat(stage, [20, 500], () => comeAndGo(stage, n % 2 === 0 ? shop : ops)),
  ),
  repeat(stage, [1_000, 4_000], () => spoil(stage)),
  repeat(stage, [2_000, 5_000], async () => {
    await upstream.control('supplier-orders', { quantity: chance.between(1, 4) });
    count(stage, 'supplier orders placed');
  }),
  repeat(stage, [2_000, 4_000], () => supply(stage, ops)),
  repeat(stage, [500, 1_000], async () => {
    for (const buyer of buyers) {
      const { caller, budget } = (await readBudget(buyer)).viewer;
      if (budget !== null && budget.spent + budget.reserved > budget.limit)
        overspent.push(`${caller} was over its budget after ${Date.now() - startedAt} ms`);
    }
  }),
  repeat(stage, [SAMPLE_EVERY, SAMPLE_EVERY], async () => {
    samples.push({ ...(await sampleOf(gateway)), at: Date.now() - startedAt });
  }),
];
const failure = await Promise.race([
  Promise.all(acts).then(() => null),
  sleep(minutes * MINUTE).then(() => null),
  gateway.ended.then((code) => new Error(`the gateway ended with ${code}`)),
]).catch((error: unknown) => error);
ending.abort();
const faults: string[] = [];
if (failure !== null)
  faults.push(failure instanceof Error ? `${failure.message}\n${failure.stack}` : String(failure));
await Promise.allSettled(acts);

await upstream.clearFaults();
const leftOver = await quiet({
  ops,
  upstream,
  work: () => supply({ ...stage, over: new AbortController().signal }, ops),
});
faults.push(...leftOver);
const account = await readAccount(ops);
parting.abort();
await Promise.allSettled(followers.map(({ ended }) => ended));
await sleep(2_000);
const metrics = await (await fetch(`${url}/metrics`)).text();
const streams = valueIn(metrics, 'switchboard_open_streams');
if (streams !== 0) faults.push(`${streams} streams are still open`);
samples.push({ ...(await sampleOf(gateway)), at: Date.now() - startedAt });

const verdicts = await judge({
  account,
  ledger: await upstream.ledger(),
  upstream,
  followers,
  buyers,
  overspent,
  deadWebhooks: valueIn(metrics, 'switchboard_inbox_records{state="dead"}'),
});
const memory = judgeMemory(samples, minutes * MINUTE);
faults.push(...memory.broken);
gateway.child.kill('SIGTERM');
const code = await gateway.ended;
if (code !== 0) faults.push(`SIGTERM ended the gateway with ${code}`);
sandbox.child.kill('SIGTERM');
await sandbox.ended;

console.table(Object.fromEntries([...stage.counts].sort()));
console.log(memory.seen.join('\n'));
console.log(`open streams at the end: ${streams}; lines of the log that warn: ${gateway.warnings()}`);
for (const { promise, seen, broken } of verdicts) {
  console.log(`${broken.length === 0 ? 'held  ' : 'BROKEN'}  ${promise} (${seen})`);
  for (const line of broken.slice(0, 10)) console.log(`          ${line}`);
}
for (const fault of faults) console.log(`FAILED  ${fault}`);
const isGood = faults.length === 0 && verdicts.every(({ broken }) => broken.length === 0);
if (isGood) rmSync(directory, { recursive: true });
else console.log(`database kept in ${directory}; the seed was ${seed}`);
process.exit(isGood ? 0 : 1);
