import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { type MeasuredPath, measuredTable } from './harness/measured.ts';
import { BENCH, LOAD_CORE, pinSelf } from './harness/process.ts';
import type { Plan } from './harness/rounds.ts';
import { type PathResult, table } from './harness/table.ts';
import { bigDatabase } from './paths/big-database.ts';
import { createOrder } from './paths/create-order.ts';
import { deliveryPlan } from './paths/delivery-plan.ts';
import { follow } from './paths/follow.ts';
import { catalogPage, oneOrder } from './paths/graphql.ts';
import { pollRound } from './paths/poll-round.ts';
import { standing } from './paths/standing.ts';
import { webhook } from './paths/webhook.ts';

const paths: Readonly<Record<string, (plan: Plan) => Promise<PathResult | MeasuredPath>>> = {
  webhook: webhook(64),
  'webhook-single': webhook(1),
  'follow-1k': follow(1_000),
  'follow-5k': follow(5_000),
  create: createOrder,
  poll: pollRound,
  order: oneOrder,
  'catalog-5k': catalogPage(5_000, 'all different'),
  'catalog-50k': catalogPage(50_000, 'all different'),
  'catalog-again': catalogPage(5_000, 'the same again'),
  'delivery-plan': deliveryPlan,
  'big-database': bigDatabase,
  standing,
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isQuick = process.argv.includes('--quick');
const plan: Plan = isQuick
  ? { rounds: 3, warmUpMs: 1_500, roundMs: 1_000 }
  : { rounds: 5, warmUpMs: 3_000, roundMs: 2_000 };
const names = asked.length === 0 || asked[0] === 'all' ? Object.keys(paths) : asked;

pinSelf(LOAD_CORE);
const results: (PathResult | MeasuredPath)[] = [];
const cpu = cpus()[0]?.model ?? 'unknown';
print(
  `Node ${process.version}, ${cpu}, load ${loadavg()[0]?.toFixed(1)}, ${plan.rounds} rounds of ${plan.roundMs / 1_000} s each\n`,
);
for (const name of names) {
  const run = paths[name];
  if (run === undefined) throw new Error(`no path ${name}; there are: ${Object.keys(paths).join(', ')}`);
}
for (const name of names) {
  const result = await paths[name]?.(plan);
  if (result === undefined) continue;
  results.push(result);
  print('figures' in result ? table(result) : measuredTable(result));
  // After each path: a later one that fails costs only itself.
  const report = {
    date: new Date().toISOString(),
    node: process.version,
    cpu,
    load: loadavg(),
    plan,
    results,
  };
  writeFileSync(join(BENCH, 'results.json'), JSON.stringify(report, null, 2));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
