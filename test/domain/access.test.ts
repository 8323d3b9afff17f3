import { describe, expect, it } from 'vitest';
import { allows, type Scope, visibilityOf } from '../../src/domain/access.ts';
import { type ApiKey, isUsable } from '../../src/domain/callers.ts';
import { parseKeyId } from '../../src/domain/ids.ts';
import { alice, moment, must, start } from '../support/values.ts';

describe('scopes', () => {
  it.each<[Scope[], Scope[]]>([
    [[], []],
    [['BUYER'], ['BUYER']],
    [['SUPPLIER'], ['SUPPLIER']],
    [['OPERATOR'], ['BUYER', 'SUPPLIER', 'OPERATOR']],
    [
      ['BUYER', 'SUPPLIER'],
      ['BUYER', 'SUPPLIER'],
    ],
  ])('%j allow %j', (held, allowed) => {
    const all: Scope[] = ['BUYER', 'SUPPLIER', 'OPERATOR'];
    expect(all.filter((needed) => allows(held, needed))).toEqual(allowed);
  });

  it('show a caller its own, and an operator everything', () => {
    expect(visibilityOf(alice, ['BUYER', 'SUPPLIER'])).toEqual({ kind: 'own', caller: alice });
    expect(visibilityOf(alice, ['OPERATOR'])).toEqual({ kind: 'all' });
  });
});

describe('a key', () => {
  const key: ApiKey = {
    id: must(parseKeyId('key-1')),
    caller: alice,
    scopes: ['BUYER'],
    createdAt: start,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };

  it.each([
    ['for ever', {}, true],
    ['until it expires', { expiresAt: moment(1) }, true],
    ['not at the moment it expires', { expiresAt: start }, false],
    ['not once revoked', { revokedAt: start }, false],
    ['not once revoked, though it would live on', { revokedAt: start, expiresAt: moment(9) }, false],
  ])('is good %s', (_, change, usable) => {
    expect(isUsable({ ...key, ...change }, start)).toBe(usable);
  });
});
