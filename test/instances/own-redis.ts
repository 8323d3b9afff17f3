import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

export interface OwnRedis {
  readonly url: string;
  /** Away for so long, and back without anything that it knew. */
  restart(awayMs: number): Promise<void>;
  close(): Promise<void>;
}

export function findRedisProgram(): string | null {
  return ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find(existsSync) ?? null;
}

export async function startOwnRedis(program: string): Promise<OwnRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server = await start();

  async function start(): Promise<ChildProcess> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn(program, options, { cwd: tmpdir(), stdio: 'ignore' });
    const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 100 });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
    return child;
  }

  async function end(): Promise<void> {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  return {
    url,
    async restart(awayMs) {
      await end();
      await new Promise((resolve) => setTimeout(resolve, awayMs));
      server = await start();
    },
    close: end,
  };
}
