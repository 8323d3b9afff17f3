import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../src/domain/callers.ts';
import { parseKeyId } from '../../src/domain/ids.ts';
import { later } from '../../src/domain/time.ts';
import type { KeyStore } from '../../src/ports/store/keys.ts';
import { createAuthenticator, keyOfParameters } from '../../src/server/auth.ts';
import { hashGatewayKey, makeGatewayKey } from '../../src/server/gateway-key.ts';
import { createKeyWatch } from '../../src/server/key-watch.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { keptLog } from '../support/kept-log.ts';
import { alice, must, start } from '../support/values.ts';

function scene(change: Partial<ApiKey> = {}) {
  const clock = createFakeClock();
  const text = makeGatewayKey();
  const row: { current: ApiKey; isAway: boolean } = {
    current: {
      id: must(parseKeyId('key_1')),
      caller: alice,
      scopes: ['BUYER'],
      createdAt: start,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      ...change,
    },
    isAway: false,
  };
  const asked: string[] = [];
  const keys: KeyStore = {
    create: () => Promise.reject(new Error('not here')),
    async findByHash(hash) {
      asked.push('find');
      if (row.isAway) throw new Error('the database is away');
      return hash === hashGatewayKey(text) ? row.current : null;
    },
    list: () => Promise.resolve([]),
    revoke: () => Promise.resolve(false),
    async touch() {
      asked.push('touch');
    },
  };
  const { log, lines } = keptLog();
  const auth = createAuthenticator({ keys, clock, log, sandboxKey: null });
  const wake = createInProcessWake(() => undefined);
  const watch = createKeyWatch({ auth, clock, wake, log });
  const counted = (what: string): number => asked.filter((one) => one === what).length;
  return { auth, watch, clock, text, row, counted, lines, wake };
}

describe('a key', () => {
  test('is looked up once in two seconds, and touched once a minute', async () => {
    const { auth, clock, text, counted } = scene();
    for (let time = 0; time < 5; time++) await auth.authenticate(text);
    expect(counted('find')).toBe(1);
    await clock.pass(2_000);
    await auth.authenticate(text);
    expect(counted('find')).toBe(2);
    expect(counted('touch')).toBe(1);
    await clock.pass(60_000);
    await auth.authenticate(text);
    expect(counted('touch')).toBe(2);
  });

  test('is refused two seconds after its revocation at the latest', async () => {
    const { auth, clock, text, row } = scene();
    expect(await auth.authenticate(text)).not.toBeNull();
    row.current = { ...row.current, revokedAt: start };
    await clock.pass(2_000);
    expect(await auth.authenticate(text)).toBeNull();
  });

  test('is refused at the very moment it expires, believed or not', async () => {
    const { auth, clock, text } = scene({ expiresAt: later(start, 1_000) });
    expect(await auth.authenticate(text)).not.toBeNull();
    await clock.pass(1_000);
    expect(await auth.authenticate(text)).toBeNull();
  });

  test('that no key of ours can look like never reaches the store; a forged one is never kept', async () => {
    const { auth, counted } = scene();
    for (const text of ['', 'sb_', `sb_${'a'.repeat(42)}`, `sb_${'a'.repeat(44)}`, `sb_${'é'.repeat(43)}`]) {
      expect(await auth.authenticate(text)).toBeNull();
    }
    expect(counted('find')).toBe(0);
    const forged = makeGatewayKey();
    await auth.authenticate(forged);
    await auth.authenticate(forged);
    expect(counted('find')).toBe(2);
  });

  test('may come with or without its scheme in connection parameters', () => {
    const text = makeGatewayKey();
    expect(keyOfParameters({ authorization: text })).toBe(text);
    expect(keyOfParameters({ authorization: `Bearer ${text}` })).toBe(text);
    expect(keyOfParameters({ authorization: { toString: () => text } })).toBeNull();
    expect(keyOfParameters({ authorization: 'a'.repeat(500) })).toBeNull();
    expect(keyOfParameters(undefined)).toBeNull();
  });
});

describe('the watch', () => {
  const watched = async (at: ReturnType<typeof scene>): Promise<{ ends: number; unwatch: () => void }> => {
    const found = { ends: 0, unwatch: (): void => undefined };
    const principal = must(await at.auth.authenticate(at.text));
    found.unwatch = at.watch.watch(principal, () => {
      found.ends += 1;
    });
    return found;
  };

  test('ends what a revoked key holds open, once, within five seconds', async () => {
    const at = scene();
    const found = await watched(at);
    await at.clock.pass(4_000);
    expect(found.ends).toBe(0);
    at.row.current = { ...at.row.current, revokedAt: later(start, 4_000) };
    await at.clock.pass(4_999);
    expect(found.ends).toBe(1);
    await at.clock.pass(60_000);
    expect(found.ends).toBe(1);
  });

  test('looks at once when this process changes a key', async () => {
    const at = scene();
    const found = await watched(at);
    at.row.current = { ...at.row.current, revokedAt: start };
    at.wake.announce(['keys']);
    await at.clock.pass(1);
    expect(found.ends).toBe(1);
  });

  test('ends nothing while the store is away, and goes on looking', async () => {
    const at = scene();
    const found = await watched(at);
    at.row.isAway = true;
    at.row.current = { ...at.row.current, revokedAt: start };
    await at.clock.pass(10_000);
    expect(found.ends).toBe(0);
    at.row.isAway = false;
    await at.clock.pass(4_000);
    expect(found.ends).toBe(1);
  });

  test('asks for nothing of which nothing is open', async () => {
    const at = scene();
    const found = await watched(at);
    found.unwatch();
    const before = at.counted('find');
    await at.clock.pass(60_000);
    expect(at.counted('find')).toBe(before);
    at.watch.stop();
    expect(at.clock.timers()).toBe(0);
  });
});
