import { createSecretKey, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAesCipher, createPlainCipher } from '../src/aes-cipher.ts';

const key = (fill: number): KeyObject => createSecretKey(Buffer.alloc(32, fill));
const cipher = createAesCipher([key(1)]);
const bytes = (sealed: Uint8Array): Buffer => Buffer.from(sealed);

describe('a cipher', () => {
  it('gives back what it sealed, text or bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, content) => {
        expect(cipher.open(cipher.seal(text))).toBe(text);
        expect([...cipher.openBytes(cipher.seal(content))]).toEqual([...content]);
        expect(cipher.open(cipher.sealAlike(text, 'place'))).toBe(text);
      }),
    );
  });

  it('hides what it sealed, and seals nothing twice alike', () => {
    const sealed = bytes(cipher.seal('a secret of somebody'));
    expect(sealed.includes('secret')).toBe(false);
    expect(sealed.equals(cipher.seal('a secret of somebody'))).toBe(false);
  });

  it('uses no nonce twice, over more of them than it draws at once', () => {
    const nonces = Array.from({ length: 1_000 }, () => bytes(cipher.seal('')).toString('hex', 5, 17));
    expect(new Set(nonces)).toHaveLength(1_000);
  });

  it('seals alike what is to be compared: the same text in the same place, and nothing else', () => {
    const alike = (text: string, place: string): string =>
      bytes(cipher.sealAlike(text, place)).toString('hex');
    expect(alike('123456', 'code 7/1')).toBe(alike('123456', 'code 7/1'));
    expect(alike('123456', 'code 7/1')).not.toBe(alike('123456', 'code 8/1'));
    expect(alike('123456', 'code 7/1')).not.toBe(alike('123457', 'code 7/1'));
  });

  it('opens what older keys sealed, and seals with the newest', () => {
    const rotated = createAesCipher([key(2), key(1)]);
    expect(rotated.open(cipher.seal('of old'))).toBe('of old');
    expect(() => cipher.open(rotated.seal('new'))).toThrow(/ENCRYPTION_KEY/);
    const [newest, older] = rotated.formsOf('a', 'place');
    expect(newest).toEqual(rotated.sealAlike('a', 'place'));
    expect(newest).toEqual(createAesCipher([key(2)]).sealAlike('a', 'place'));
    expect(older).toEqual(cipher.sealAlike('a', 'place'));
    expect([rotated.sealAlike('a', 'place'), rotated.seal('a')].map(rotated.isCurrent)).toEqual([true, true]);
    expect([older, cipher.seal('a'), Buffer.of(0)].map((one) => one && rotated.isCurrent(one))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([0, 1, 5, 17, 33, 40])('refuses what was changed: the byte at %i', (at) => {
    const sealed = bytes(cipher.seal('a secret of somebody'));
    sealed.writeUInt8((sealed[at] ?? 0) ^ 0xff, at);
    expect(() => cipher.open(sealed)).toThrow();
  });

  it('refuses what was cut short, and tells nothing of it', () => {
    const sealed = bytes(cipher.seal('a secret of somebody'));
    for (const length of [1, 4, 32, sealed.length - 1])
      expect(() => cipher.open(sealed.subarray(0, length))).toThrow(/^(?!.*secret)/);
  });
});

describe('without a key in common', () => {
  const plain = createPlainCipher();

  it('nothing is hidden, and everybody reads it, also once there is a key', () => {
    expect(bytes(plain.seal('open')).includes('open')).toBe(true);
    expect(plain.open(plain.seal('open'))).toBe('open');
    expect(cipher.open(plain.seal('open'))).toBe('open');
    expect(cipher.formsOf('62', 'number')).toContainEqual(plain.sealAlike('62', 'number'));
  });

  it('what a key has sealed is refused, in words for the operator', () => {
    expect(() => plain.open(cipher.seal('a secret'))).toThrow(/ENCRYPTION_KEY/);
  });
});
