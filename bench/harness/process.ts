import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCH = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Where the product was built to. */
export const PRODUCT = process.env['PRODUCT_DIST'] ?? join(BENCH, '..', 'dist');

/** The contender has one core for itself; load and upstream share the other. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';
/** Linux counts CPU time in hundredths of a second. */
const TICKS = 100;

export interface Running {
  readonly pid: number;
  readonly port: number;
  /** CPU seconds used so far, all threads. */
  cpu(): number;
  /** Resident bytes now. */
  memory(): number;
  stop(): Promise<void>;
}

export interface Command {
  /** A file of this package, run by tsx; or one of the product's, run as it is. */
  readonly file: string;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly core: string;
}

/** Starts a server and waits until its port takes connections. */
export async function startServer(command: Command): Promise<Running> {
  const port = await freePort();
  const isOwn = command.file.endsWith('.ts');
  const node = [
    ...(isOwn ? ['--import', 'tsx'] : []),
    ...(profile() ?? []),
    command.file,
    ...(command.arguments ?? []),
  ];
  const child = spawn('taskset', ['-c', command.core, process.execPath, ...node], {
    cwd: BENCH,
    env: { ...cleanEnvironment(), PRODUCT_DIST: PRODUCT, ...command.environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const words: string[] = [];
  child.stderr?.on('data', (part: Buffer) => words.push(String(part)));
  const { pid } = child;
  if (pid === undefined) throw new Error(`could not start ${command.file}`);
  await untilListening(port, child, () => words.join(''));
  return {
    pid,
    port,
    cpu: () => cpuOf(pid),
    memory: () => memoryOf(pid),
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 11_000);
      await gone;
      clearTimeout(hard);
    },
  };
}

export function pinSelf(core: string): void {
  execFileSync('taskset', ['-a', '-cp', core, String(process.pid)], { stdio: 'ignore' });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** `BENCH_PROFILE=directory` writes a CPU profile of each contender there. */
function profile(): readonly string[] | null {
  const directory = process.env['BENCH_PROFILE'];
  return directory === undefined ? null : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

function cleanEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_ENV: 'production' };
}

async function untilListening(port: number, child: ChildProcess, words: () => string): Promise<void> {
  for (let look = 0; look < 6_000; look++) {
    if (child.exitCode !== null) throw new Error(`a contender ended at once: ${words().slice(-2_000)}`);
    if (await takesConnections(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill('SIGKILL');
  throw new Error(`a contender did not listen within a minute: ${words().slice(-2_000)}`);
}

async function takesConnections(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/readyz`).then((answer) => {
      if (answer.status === 503) throw new Error('not ready');
      return answer.arrayBuffer();
    });
    return true;
  } catch {
    return false;
  }
}

export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) * 1024;
}
