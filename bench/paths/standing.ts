import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gateway, scratch, upstream } from '../harness/gateway.ts';
import type { MeasuredPath } from '../harness/measured.ts';
import { BENCH, PRODUCT } from '../harness/process.ts';
import { median, type Plan } from '../harness/rounds.ts';

const SETTLED = 5_000;

/** What it costs to be there at all: start to ready, memory while nobody asks, and what an install weighs. */
export async function standing(plan: Plan): Promise<MeasuredPath> {
  const stub = await upstream({ CATALOG_SIZE: '5000' });
  try {
    const ours = gateway(stub.port);
    await (await ours.start()).stop();
    const starts: number[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      const startedAt = performance.now();
      const running = await ours.start();
      starts.push(performance.now() - startedAt);
      await running.stop();
    }
    const running = await ours.start();
    await sleep(SETTLED);
    const idle = running.memory() / 2 ** 20;
    await running.stop();
    return {
      path: 'standing',
      what: 'From the start of the process until /readyz says 200, looked at every 10 ms; resident memory after five idle seconds; disk space of the built product with its production dependencies.',
      measures: [
        { name: 'start to ready', value: median(starts), unit: 'ms', atMost: 1_000 },
        { name: 'idle memory', value: idle, unit: 'MiB', atMost: 120 },
        { name: 'production install', value: installSize(), unit: 'MiB', atMost: 120 },
      ],
    };
  } finally {
    await stub.stop();
  }
}

/** Installed by npm into a place of its own, scripts included: what is on a server then. */
function installSize(): number {
  const root = join(BENCH, '..');
  const place = join(scratch(), 'install');
  mkdirSync(place);
  for (const file of ['package.json', 'package-lock.json', '.npmrc', 'dist']) {
    const from = file === 'dist' ? PRODUCT : join(root, file);
    if (existsSync(from)) cpSync(from, join(place, file), { recursive: true });
  }
  execFileSync('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: place,
    stdio: 'ignore',
  });
  const [kib = ''] = execFileSync('du', ['-sk', place], { encoding: 'utf8' }).split('\t');
  return Number(kib) / 1024;
}
