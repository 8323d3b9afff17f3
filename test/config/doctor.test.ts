import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examineSurroundings } from '../../src/cli/examine-surroundings.ts';
import { parseConfig } from '../../src/config.ts';

let directory: string;
let server: Server;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});
const listening = (): number => (server.address() as AddressInfo).port;

/** What is said of everything but that which is as it should be. */
async function findings(env: Record<string, string>): Promise<readonly string[]> {
  const parsed = parseConfig({
    PORT: '0',
    DATABASE_URL: `file:${join(directory, 'switchboard.db')}`,
    ...env,
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const found = await examineSurroundings(parsed.config);
  return found
    .filter(({ state }) => state !== 'ok')
    .map(({ what, state, words }) => `${state} ${what}: ${words}`);
}

const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
};
const key = (): string => randomBytes(32).toString('base64');

describe('doctor', () => {
  test('finds nothing where nothing is wrong', async () => {
    const made = key();
    file('encryption.key', `${made}\n`);
    const trusted = file('trusted.json', JSON.stringify({ a: '{ viewer { caller } }' }));
    expect(await findings({ ENCRYPTION_KEY: `${key()},${made}`, TRUSTED_DOCUMENTS: trusted })).toEqual([]);
  });

  test('tells of a key that was made here and then left out', async () => {
    file('encryption.key', `${key()}\n`);
    expect(await findings({ ENCRYPTION_KEY: key() })).toEqual([
      expect.stringMatching(
        /^note encryption: .*encryption\.key holds a key that is not among ENCRYPTION_KEY/,
      ),
    ]);
    expect(await findings({})).toEqual([]);
  });

  test.each([
    ['a manifest that is no JSON', 'x', /is not JSON/],
    ['a document that does not fit the graph', '{"abc": "{ nothing }"}', /abc does not fit the graph/],
  ])('tells of %s', async (_, content, words) => {
    const [found] = await findings({ TRUSTED_DOCUMENTS: file('trusted.json', content) });
    expect(found).toMatch(/^wrong documents: /);
    expect(found).toMatch(words);
  });

  test('tells of an address that is taken, or is none of this machine', async () => {
    expect(await findings({ PORT: String(listening()) })).toEqual([
      expect.stringMatching(/^note address: .* is taken/),
    ]);
    expect(await findings({ HOST: '203.0.113.7' })).toEqual([
      expect.stringMatching(/^wrong address: .*EADDRNOTAVAIL/),
    ]);
  });

  test('tells of a Redis that is not there', async () => {
    const postgres = { DATABASE_URL: 'postgres://a@127.0.0.1/b', ENCRYPTION_KEY: key() };
    expect(await findings({ ...postgres, REDIS_URL: `redis://127.0.0.1:${listening()}` })).toEqual([]);
    expect(await findings({ ...postgres, REDIS_URL: 'redis://127.0.0.1:9' })).toEqual([
      expect.stringMatching(/^wrong redis: gives no answer/),
    ]);
  });
});
