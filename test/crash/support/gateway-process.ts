import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { GraphBody } from '../../api/support/gateway.ts';

/** The real gateway, in a process of its own. */
export interface GatewayProcess {
  readonly url: string;
  /** Lines of its log so far. */
  readonly log: readonly string[];
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  /** It will die at that point (tripwire.ts). */
  arm(point: string): Promise<void>;
  /** Moves its time on. Sent to a process that stands still, it is heard when that goes on. */
  skip(milliseconds: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  ask(key: string, query: string, variables?: unknown): Promise<GraphBody>;
  /** A webhook's status; null where there was no answer. */
  post(body: string, signature: string): Promise<number | null>;
}

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly aheadMs: number;
  readonly crashAt?: string;
}

const toldSchema = z.union([z.object({ url: z.string() }), z.object({ done: z.literal(true) })]);

/** Starts the bundled program. Null: it died before it served, which is what an armed one may be started for. */
export async function startProcess(file: string, options: StartOptions): Promise<GatewayProcess | null> {
  const { env, aheadMs, crashAt } = options;
  const child = fork(file, [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      ...env,
      CLOCK_AHEAD_MS: String(aheadMs),
      ...(crashAt !== undefined && { CRASH_AT: crashAt }),
    },
  });
  const log = linesOf(child);
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const acknowledgements: (() => void)[] = [];
  const url = await new Promise<string | null>((resolve) => {
    child.on('message', (message) => {
      const told = toldSchema.parse(message);
      if ('url' in told) resolve(told.url);
      else acknowledgements.shift()?.();
    });
    child.once('exit', () => resolve(null));
  });
  if (url === null) {
    if ((await ended) === 'SIGKILL') return null;
    throw new Error(`the gateway did not start:\n${log.join('\n')}`);
  }

  const tell = (order: { arm: string } | { skip: number }): Promise<void> =>
    new Promise((resolve, reject) => {
      acknowledgements.push(resolve);
      child.send(order, (error) => {
        if (error !== null) reject(error);
      });
    });

  return {
    url,
    log,
    ended,
    arm: (point) => tell({ arm: point }),
    skip: (milliseconds) => tell({ skip: milliseconds }),
    signal: (name) => void child.kill(name),
    async ask(key, query, variables) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, variables }),
      });
      return JSON.parse(await response.text());
    },
    async post(body, signature) {
      try {
        const headers = { 'x-webhook-signature': signature };
        const response = await fetch(`${url}/webhooks/smscode`, { method: 'POST', headers, body });
        await response.arrayBuffer();
        return response.status;
      } catch {
        return null;
      }
    },
  };
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  }
  return lines;
}
