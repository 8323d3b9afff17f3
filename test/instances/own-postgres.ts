import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL server of the test's own, which may be ended and started again. */
export interface OwnPostgres {
  readonly url: string;
  /** `SIGINT` ends all connections and writes a checkpoint, `SIGQUIT` leaves everything to the recovery. */
  restart(how: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  close(): Promise<void>;
}

/** Where PostgreSQL's programs are; null where there are none. */
export function findPostgresPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => join(DEBIAN, version, 'bin')), '/usr/local/bin', '/usr/bin'];
  return places.find((place) => existsSync(join(place, 'initdb'))) ?? null;
}

/** As it is installed: fsync and synchronous_commit are on. */
export async function startOwnPostgres(programs: string): Promise<OwnPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-postgres-'));
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid);
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(programs, 'initdb'), ['-D', directory, ...options], { ...user, stdio: 'ignore' });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = await start();

  async function start(): Promise<ChildProcess> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', directory, ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, stdio: 'ignore' },
    );
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) break;
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return child;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error('PostgreSQL does not start');
  }

  async function end(how: NodeJS.Signals): Promise<void> {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(how);
    await ended;
  }

  return {
    url,
    async restart(how) {
      await end(how);
      server = await start();
    },
    async close() {
      await end('SIGQUIT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}
