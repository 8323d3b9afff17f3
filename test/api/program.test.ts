import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { createAesCipher } from '../../src/aes-cipher.ts';
import { must } from '../support/values.ts';
import { until } from './support/gateway.ts';

/** What is shipped, as `npm run build` makes it and `npm test` makes it first. */
const cli = resolve('dist/cli.js');
const directories: string[] = [];
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function workplace(): string {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-program-'));
  directories.push(directory);
  return directory;
}

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly code: Promise<number | null>;
}

/** The program in a directory of its own, with nothing of this process's settings. */
function start(args: readonly string[], env: Record<string, string> = {}, cwd = workplace()): Run {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += String(data);
  });
  child.stderr.on('data', (data) => {
    err += String(data);
  });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, out: () => out, err: () => err, code };
}

async function run(args: readonly string[], env: Record<string, string> = {}, cwd?: string) {
  const { code, out, err } = start(args, env, cwd);
  return { code: await code, out: out(), err: err() };
}

const lineOf = (text: string, name: string): string =>
  must(new RegExp(`^ {2}${name} +(\\S+)$`, 'm').exec(text)?.[1]);

test('has one graphql in it: of two, each would refuse what the other has made', () => {
  const parts = readdirSync(resolve('dist/parts')).filter((file) => file.endsWith('.js'));
  const texts = parts.map((file) => readFileSync(resolve('dist/parts', file), 'utf8'));
  expect(texts.join('\n').match(/class GraphQLError\b/g)).toHaveLength(1);
});

describe('commands', { timeout: 60_000 }, () => {
  test('keys: made, shown once, listed, revoked', async () => {
    const cwd = workplace();
    const options = [
      '--caller',
      'shop',
      '--scopes',
      'buyer,SUPPLIER',
      '--budget',
      '50000',
      '--expires-in-days',
      '3',
    ];
    const made = await run(['keys', 'create', ...options], {}, cwd);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^sb_[A-Za-z0-9_-]{43}\n$/);
    const listed = await run(['keys', 'list'], {}, cwd);
    expect(listed.out).toMatch(
      /^(\S+) {2}shop {2}BUYER,SUPPLIER {2}expires 20\S+Z {2}used never {2}active\n$/,
    );
    expect(listed.out).not.toContain(made.out.trim());
    const id = must(listed.out.split(' ')[0]);
    expect((await run(['keys', 'revoke', id], {}, cwd)).code).toBe(0);
    expect((await run(['keys', 'list'], {}, cwd)).out).toMatch(/ revoked 20\S+Z\n$/);
    // A key is kept as a hash alone.
    expect(readFileSync(join(cwd, 'data/switchboard.db')).includes(made.out.trim())).toBe(false);
  });

  test.each([
    ['a caller that is no name', ['keys', 'create', '--caller', 'a b', '--scopes', 'BUYER']],
    ['a scope that is none', ['keys', 'create', '--caller', 'a', '--scopes', 'BUYER,ADMIN']],
    ['a budget with a fraction', ['keys', 'create', '--caller', 'a', '--scopes', 'BUYER', '--budget', '1.5']],
    ['a command that is none', ['sreve']],
    ['an option that is none', ['serve', '--port', '1']],
  ])('%s: 2, and what is right is said', async (_what, args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('error:');
  });

  test('a wrong configuration is told of as a whole: 1', async () => {
    const { code, err } = await run(['serve'], { PORT: '99999', LOG_LEVEL: 'loud', RETENTION_DAYS: 'x' });
    expect(code).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'RETENTION_DAYS']) expect(err).toContain(`- ${name} `);
  });

  test.each([
    ['serve', 'postgres://nobody@127.0.0.1:9/none'],
    ['serve', 'postgres://nobody@none.invalid/none'],
    ['migrate', 'file:/dev/null/none.db'],
  ])('%s names a database that cannot be opened by its setting: 1, %s', async (command, url) => {
    const { code, err } = await run([command], { DATABASE_URL: url, PORT: '0', SANDBOX_PORT: '0' });
    expect(code).toBe(1);
    expect(err).toMatch(/^DATABASE_URL: /);
  });

  test('a key that is not there: 1', async () => {
    expect(await run(['keys', 'revoke', 'key_none'])).toMatchObject({ code: 1, out: '' });
  });

  test('reseal tells when the older key may go, and when something still needs one that is not given', async () => {
    const cwd = workplace();
    expect((await run(['migrate'], {}, cwd)).code).toBe(0);
    const done = await run(['reseal'], {}, cwd);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('may be taken away') });
    const database = new Database(join(cwd, 'data/switchboard.db'));
    const foreign = createAesCipher([createSecretKey(Buffer.alloc(32, 9))]);
    database
      .prepare(
        "insert into inbox (dedupe_key, event, body, state, received_at, tries, next_try_at) values ('k', 'e', ?, 'SETTLED', 1, 0, 1)",
      )
      .run(Buffer.concat([Buffer.from('sealed:'), foreign.seal('a secret')]));
    database.close();
    const left = await run(['reseal'], {}, cwd);
    expect(left.code).toBe(1);
    expect(left.err).toMatch(/1 rows were sealed with a key that is not among ENCRYPTION_KEY.*: inbox 1\./);
    expect(await run(['reseal'], { DATABASE_URL: 'file:none.db' }, cwd)).toMatchObject({ code: 1, out: '' });
  });

  test('doctor says what is wrong with an upstream that does not answer, and keeps its secret: 1', async () => {
    const { code, out } = await run(['doctor'], {
      SMSCODE_API_TOKEN: 'canary-token',
      SMSCODE_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    expect(code).toBe(1);
    expect(out).toMatch(/WRONG.*buyer upstream: gives no answer/);
    expect(out).not.toContain('canary-token');
  });

  test.runIf(existsSync('/proc/self'))(
    'a database that has no place is told of under the name of its setting, at once: 1',
    async () => {
      for (const args of [['serve'], ['keys', 'list'], ['doctor']]) {
        const { code, out, err } = await run(args, { DATABASE_URL: 'file:/proc/none/a.db', PORT: '0' });
        expect(code).toBe(1);
        expect(`${out}${err}`).toMatch(/DATABASE_URL: ENOENT.*\/proc\/none/);
      }
    },
  );

  test('schema prints the graph, and --version the version', async () => {
    const [schema, version] = await Promise.all([run(['schema']), run(['--version'])]);
    expect(schema.out).toContain('type Query {');
    expect(version.out.trim()).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});

describe('serve', { timeout: 60_000 }, () => {
  const free = { PORT: '0', SANDBOX_PORT: '0' };

  test('says plainly where it is, keeps its key over a restart, and ends at a signal with 0', {
    timeout: 60_000,
  }, async () => {
    const cwd = workplace();
    const keys: string[] = [];
    for (let time = 0; time < 2; time++) {
      const program = start([], free, cwd);
      await until('it serves', () => program.out().includes('the gateway serves'), 20_000);
      // The banner first, then the log.
      expect(program.out().indexOf('API key')).toBeLessThan(program.out().indexOf('{"level"'));
      const [graphiql, sandbox, key] = ['GraphiQL', 'Sandbox', 'API key'].map((name) =>
        lineOf(program.out(), name),
      );
      keys.push(must(key));
      const response = await fetch(must(graphiql), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: '{"query":"{ viewer { caller } }"}',
      });
      expect(await response.json()).toEqual({ data: { viewer: { caller: 'sandbox' } } });
      expect((await fetch(`${sandbox}/_sandbox/ledger`)).status).toBe(200);
      const startedAt = Date.now();
      program.child.kill('SIGTERM');
      expect(await program.code).toBe(0);
      expect(Date.now() - startedAt).toBeLessThan(9_000);
      // The key is in the banner, and never in the log.
      const log = program
        .out()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .join('\n');
      expect(log).not.toContain(key);
    }
    expect(keys[1]).toBe(keys[0]);
    // The next start has the upstream's places to itself.
    const database = new Database(join(cwd, 'data/switchboard.db'), { readonly: true });
    expect(database.prepare("select name from counters where name like 'instance:%'").all()).toEqual([]);
    database.close();
    expect(statSync(join(cwd, 'data/sandbox.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, 'data/switchboard.db')).includes(must(keys[0]))).toBe(false);
  });

  test('a port that is taken: 1, and what to do', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = String(address !== null && typeof address === 'object' ? address.port : 0);
    const [own, simulated] = await Promise.all([
      run(['serve'], { ...free, PORT: port }),
      run(['serve'], { ...free, SANDBOX_PORT: port }),
    ]);
    other.close();
    expect(own).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Port ${port} of 127.0.0.1 is taken`),
    });
    expect(own.err).toContain('set PORT');
    expect(simulated).toMatchObject({ code: 1, err: expect.stringContaining('set SANDBOX_PORT') });
  });

  test('sandbox serves the simulated upstreams alone', async () => {
    const program = start(['sandbox'], { SANDBOX_PORT: '0' });
    await until('it tells where', () => program.out().includes('/_sandbox/'), 20_000);
    const address = must(/http:\/\/127\.0\.0\.1:\d+\/v1/.exec(program.out())?.[0]);
    const response = await fetch(`${address}/balance`, {
      headers: { authorization: 'Bearer sandbox-token' },
    });
    expect(await response.json()).toMatchObject({ success: true });
    program.child.kill('SIGTERM');
    expect(await program.code).toBe(0);
  });
});
