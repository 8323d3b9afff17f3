import { describe, expect, it } from 'vitest';
import type { WakeKey } from '../../src/ports/wake.ts';
import { fromText, lifeSign, toTexts } from '../../src/wake/announcement.ts';

const key = (index: number): WakeKey => `supplier-order:${String(index).padStart(128, '0')}`;

describe('announcements', () => {
  it('say who tells, and which keys have news', () => {
    const [text, ...more] = toTexts('me', ['inbox', 'sms-of-all', key(7)]);
    expect(more).toEqual([]);
    expect(fromText(text ?? '')).toEqual({
      origin: 'me',
      isDeaf: false,
      keys: ['inbox', 'sms-of-all', key(7)],
    });
  });

  it('are none without keys', () => {
    expect(toTexts('me', [])).toEqual([]);
  });

  it('fit into payloads, however many keys there are, and lose none', () => {
    const keys = Array.from({ length: 500 }, (_, index) => key(index));
    const texts = toTexts('me', keys);
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8_000);
    expect(texts.flatMap((text) => fromText(text).keys)).toEqual(keys);
  });

  it('leave out what is no key', () => {
    const text = ['me', 'inbox', 'a-newer-key', 'order:', 'order:1 2', 'keys', ''].join('\n');
    expect(fromText(text).keys).toEqual(['inbox', 'keys']);
    expect(fromText('')).toEqual({ origin: '', isDeaf: false, keys: [] });
  });

  it('give signs of life, and tell who cannot hear', () => {
    expect(fromText(lifeSign('me'))).toEqual({ origin: 'me', isDeaf: false, keys: [] });
    expect(fromText(lifeSign('me', true))).toEqual({ origin: 'me', isDeaf: true, keys: [] });
  });
});
