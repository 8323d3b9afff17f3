// Works the account's supplier orders off: claims them, hears of them as they are claimed, delivers what is in stock, in
// rounds where that is not enough, and closes them. There is no list to poll and nothing to lose: claims come by subscription,
// from the last one seen on; what was taken on is in a file.
//
//   npx tsx examples/supplier-worker/main.ts DIRECTORY [--pull-every SECONDS] [--look-every SECONDS]
//
// DIRECTORY/stock/KIND.txt holds the goods of a subCategory, a line a piece; lines may be added at any time.
// --pull-every 0 leaves claiming to the gateway (SUPPLIER_PULL_SECONDS). SIGTERM ends it after the round under way.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { graphql, openGateway } from '../client.ts';
import { openStock } from './stock.ts';
import { openTodo } from './todo.ts';
import { workOn } from './work-on.ts';

const Pull = graphql(`
  mutation Pull { pullSupplierOrders(limit: 50) { id } }
`);

const Claims = graphql(`
  subscription Claims($after: String) {
    supplierOrderClaimed(after: $after, openFirst: true) { id quantity claimCursor }
  }
`);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'pull-every': { type: 'string', default: '10' },
    'look-every': { type: 'string', default: '5' },
  },
});
const [directory] = positionals;
if (directory === undefined)
  throw new Error('a DIRECTORY is needed, with the goods in DIRECTORY/stock/KIND.txt');

const gateway = openGateway();
const stock = openStock(directory);
const todo = openTodo(join(directory, 'todo.json'));
const stopping = new AbortController();
/** Aborted when there is something new to work on. */
let news = new AbortController();
process.once('SIGTERM', stop).once('SIGINT', stop);

const claims = gateway.follow(Claims, () => ({ after: todo.after }));
const hearing = hearOfClaims();
await Promise.all([
  every(Number(values['pull-every']), claim),
  every(Number(values['look-every']), workOnAll),
]);
await claims.return?.();
await hearing;
await gateway.close();

async function hearOfClaims(): Promise<void> {
  for await (const { supplierOrderClaimed: claimed } of claims) {
    tell(`${claimed.id}: claimed, ${claimed.quantity} pieces`);
    todo.add(claimed.id, claimed.claimCursor);
    news.abort();
  }
}

/** The answer is written down as well: what is claimed before the subscription stands is not told by it. */
async function claim(): Promise<void> {
  const { pullSupplierOrders } = await gateway.ask(Pull, {});
  for (const { id } of pullSupplierOrders) todo.add(id, null);
  if (pullSupplierOrders.length > 0) news.abort();
}

async function workOnAll(): Promise<void> {
  news = new AbortController();
  for (const id of todo.orders) {
    if (stopping.signal.aborted) return;
    if (await workOn(gateway, stock, id, tell)) todo.done(id);
  }
}

/** One round after the other; one that fails is told of and tried again. 0: never. */
async function every(seconds: number, round: () => Promise<void>): Promise<void> {
  while (seconds > 0 && !stopping.signal.aborted) {
    await round().catch((error: unknown) => tell(error instanceof Error ? error.message : 'a round failed'));
    const signals = round === workOnAll ? [stopping.signal, news.signal] : [stopping.signal];
    await sleep(seconds * 1_000, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
  }
}

function stop(): void {
  tell('stopping after the round under way');
  stopping.abort();
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
