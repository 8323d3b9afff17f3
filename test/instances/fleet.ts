import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { GraphBody } from '../api/support/gateway.ts';
import { freePort } from './free-port.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** One of several gateways, as it is run: a process of the built program, always at the same address. */
export interface Instance {
  readonly url: string;
  /** Its log so far, over all its lives. */
  readonly log: readonly string[];
  start(): Promise<void>;
  /** Resolves once it is gone. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export async function startInstance(
  env: Readonly<Record<string, string>>,
  directory: string,
): Promise<Instance> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log: string[] = [];
  let child: ChildProcess;

  async function start(): Promise<void> {
    child = spawn(process.execPath, [PROGRAM, 'serve'], {
      cwd: directory,
      env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => log.push(text));
    }
    for (;;) {
      if (child.exitCode !== null) throw new Error(`an instance does not start:\n${log.join('')}`);
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      if (response?.ok === true) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  await start();
  return {
    url,
    log,
    start,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

/** Null where no answer came in time, or none at all: what became of it the asker does not know. */
export async function ask(
  url: string,
  key: string,
  query: string,
  variables: unknown,
): Promise<GraphBody | null> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      signal: AbortSignal.timeout(4_000),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    return JSON.parse(await response.text());
  } catch {
    return null;
  }
}
