import { describe, expect, it } from 'vitest';
import { endsInLink, findCues, isQuantityOrMasked } from '../../../src/domain/sms/cues.ts';

/** The place of the number 4829 in a text. */
function placeOf(text: string): { readonly start: number; readonly end: number } {
  const start = text.indexOf('4829');
  return { start, end: start + 4 };
}

describe('cue words', () => {
  it('are found in order, each once, the longest of those that begin together', () => {
    const text = 'Order no 7: your one-time code, 20% off';
    const found = findCues(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
    expect(found).toEqual([
      ['other', 'Order no'],
      ['secret', 'one-time'],
      ['code', 'code'],
      ['offer', '% off'],
    ]);
  });

  it('are none in other words', () => {
    expect(findCues('Hello there')).toEqual([]);
    expect(findCues('')).toEqual([]);
  });
});

describe('an amount, a quantity, or what is left of a longer number', () => {
  it.each([
    'Rp 4829',
    'Rp4829',
    'Rp.4829',
    'Rp. 4829',
    '$4829',
    'pay USD 4829',
    '4829 USD',
    '4829USD',
    '4829 usd by 5',
    '4829 USD, 5',
    '4829%',
    '4829 points',
    '4829元',
    '**4829',
    '** 4829',
    '**** 4829',
    '*4829',
    '•4829',
    '+4829',
    '..4829',
    '4829*',
    '4829**',
    '4829* is',
    'a * b 4829* c',
  ])('%j', (text) => {
    const { start, end } = placeOf(text);
    expect(isQuantityOrMasked(text, start, end)).toBe(true);
  });

  it.each([
    'is 4829',
    '4829',
    '*4829*',
    'it is *4829* now',
    '* 4829',
    'now.4829',
    '.4829',
    '4829 USD 500',
    '4829 USD500',
    '4829 USD. 500',
    '4829 USD.500',
    '4829  USD',
    '4829, USD',
    'USD for 4829',
    'corp 4829',
    '4829 rupees',
    'Rp for a long time, and 4829',
  ])('is not %j', (text) => {
    const { start, end } = placeOf(text);
    expect(isQuantityOrMasked(text, start, end)).toBe(false);
  });
});

describe('what leads to a number without naming it', () => {
  it.each([
    '4829',
    ' 4829',
    'it is 4829',
    'it is "4829"',
    'it is: 4829',
    'reading: 4829',
    'reading (see below). 4829',
    'reading\n4829',
    'reading, [4829]',
    'reading: *4829*',
    'вот это 4829',
    '数字是4829',
  ])('%j', (text) => {
    expect(endsInLink(text, placeOf(text).start)).toBe(true);
  });

  it.each([
    'reading 4829',
    'reading4829',
    'reading"4829"',
    'reading (4829)',
    'reading «4829»',
    'this 4829',
    'it is one 4829',
    '77 4829',
    'it is  4829',
  ])('is not %j', (text) => {
    expect(endsInLink(text, placeOf(text).start)).toBe(false);
  });
});
