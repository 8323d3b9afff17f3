import { describe, expect, it } from 'vitest';
import { parseKeyId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import { later, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { alice, bob, byShell, draft, limit, prepared } from './support/values.ts';
import { known, useWorld } from './support/world.ts';

export function describeKeys(create: CreateDatabase): void {
  describe('keys and budgets', () => {
    const world = useWorld(create);
    const keyId = (name: string) => known(parseKeyId(name));
    const key = (name: string) => ({
      id: keyId(name),
      hash: `hash-of-${name}`,
      caller: alice,
      scopes: ['BUYER', 'OPERATOR'] as const,
      expiresAt: null,
      budgetLimit: null,
    });

    it('keeps a key by its hash', async () => {
      const { store, now, wake } = world();
      const expiresAt = later(now(), MINUTE);
      await store.keys.create({ ...key('a'), expiresAt }, byShell);
      expect(wake.take()).toEqual(['keys']);
      expect(await store.keys.findByHash('hash-of-a')).toEqual({
        id: 'a',
        caller: alice,
        scopes: ['BUYER', 'OPERATOR'],
        createdAt: now(),
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
      });
      expect(await store.keys.findByHash('hash-of-b')).toBeNull();
    });

    it('keeps a key without scopes', async () => {
      const { store } = world();
      await store.keys.create({ ...key('a'), scopes: [] }, byShell);
      expect((await store.keys.findByHash('hash-of-a'))?.scopes).toEqual([]);
    });

    it('refuses a second key of the same id or hash', async () => {
      const { store } = world();
      await store.keys.create(key('a'), byShell);
      await expect(store.keys.create({ ...key('a'), hash: 'other' }, byShell)).rejects.toThrow();
      await expect(store.keys.create({ ...key('b'), hash: 'hash-of-a' }, byShell)).rejects.toThrow();
      expect(await store.keys.list()).toHaveLength(1);
    });

    it('lists all of them, oldest first', async () => {
      const { store, clock } = world();
      for (const name of ['b', 'c', 'a']) {
        await store.keys.create(key(name), byShell);
        clock.pass(SECOND);
      }
      expect((await store.keys.list()).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    });

    it('revokes once, and finds the key still', async () => {
      const { store, clock, wake, now } = world();
      await store.keys.create(key('a'), byShell);
      await store.keys.create(key('b'), byShell);
      wake.take();
      const at = now();
      expect(await store.keys.revoke(keyId('a'), byShell)).toBe(true);
      expect(wake.take()).toEqual(['keys']);
      clock.pass(SECOND);
      expect(await store.keys.revoke(keyId('a'), byShell)).toBe(true);
      expect((await store.keys.findByHash('hash-of-a'))?.revokedAt).toBe(at);
      expect((await store.keys.findByHash('hash-of-b'))?.revokedAt).toBeNull();
      expect(await store.keys.revoke(keyId('nobody'), byShell)).toBe(false);
    });

    it('notes the last use, at most once a minute', async () => {
      const { store, clock, now } = world();
      await store.keys.create(key('a'), byShell);
      const lastUsedAt = async () => (await store.keys.findByHash('hash-of-a'))?.lastUsedAt;
      await store.keys.touch(keyId('nobody'));
      await store.keys.touch(keyId('a'));
      const first = now();
      expect(await lastUsedAt()).toBe(first);
      clock.pass(MINUTE - 1);
      await store.keys.touch(keyId('a'));
      expect(await lastUsedAt()).toBe(first);
      clock.pass(1);
      await store.keys.touch(keyId('a'));
      expect(await lastUsedAt()).toBe(now());
    });

    it('has an empty budget for a caller it never heard of', async () => {
      expect(await world().store.budgets.find(bob)).toEqual({ limit: null, spent: 0, reserved: 0 });
    });

    it('sets the limit of the caller, whichever of its keys is made, and leaves what is booked', async () => {
      const { store } = world();
      await prepared(store, draft('a'));
      await limit(store, alice, rupiah(9_000));
      await store.keys.create(key('a'), byShell);
      expect(await store.budgets.find(alice)).toEqual({ limit: 9_000, spent: 0, reserved: 5_000 });
      await limit(store, alice, rupiah(0));
      expect(await store.budgets.find(alice)).toEqual({ limit: 0, spent: 0, reserved: 5_000 });
      expect((await store.budgets.find(bob)).limit).toBeNull();
    });
  });
}
