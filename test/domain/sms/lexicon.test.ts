import { describe, expect, it } from 'vitest';
import { lexiconOf, searchable } from '../../../src/domain/sms/lexicon.ts';

const wordAt = lexiconOf({
  code: ['code|promo|Código', '~wort', 'einmal~|~kod~', '码|%|%%|% off|no.'],
  offer: ['promo code|call us|%off'],
});

describe('a word of a table', () => {
  it.each([
    ['alone', 'code', 0, 'code', 'code'],
    ['before a mark', 'code: 4829', 0, 'code', 'code'],
    ['before a digit', 'code4829', 0, 'code', 'code'],
    ['within a text', 'my code is', 3, 'code', 'code'],
    ['without its accent', 'codigo 4829', 0, 'code', 'codigo'],
    ['the longest that begins there', 'promo code', 0, 'offer', 'promo code'],
    ['the shorter where the longest does not end', 'promo codex', 0, 'code', 'promo'],
    ['with any end', 'einmalzahl 4829', 0, 'code', 'einmalzahl'],
    ['with no end', 'einmal 4829', 0, 'code', 'einmal'],
    ['with any beginning', 'passwort 4829', 4, 'code', 'wort'],
    ['with both', 'mykodas 4829', 2, 'code', 'kodas'],
    ['of a script without spaces', '验证码是', 2, 'code', '码'],
    ['of marks alone, between letters', 'a%b', 1, 'code', '%'],
    ['of several marks, between letters', 'a%%b', 1, 'code', '%%'],
    ['of a mark and letters', '20% off', 2, 'code', '% off'],
    ['of two words, whose dash is a space', searchable('Call-Us'), 0, 'offer', 'call us'],
  ] as const)('%s', (_, text, at, kind, word) => {
    expect(wordAt(text, at)).toEqual({ kind, end: at + word.length });
  });

  it.each([
    ['that is none', 'hello', 0],
    ['at another place', 'my code', 0],
    ['with a letter before it', 'decode', 2],
    ['with a letter after it', 'codes', 0],
    ['that may not begin otherwise', 'reeinmal', 2],
    ['that may not end otherwise', 'passworte', 4],
    ['that begins with a mark and ends with letters', '20% offer', 3],
    ['of letters and a mark, with a letter before it', 'piano. 5', 3],
    ['cut short', 'cod', 0],
    ['past the end', 'code', 4],
  ])('%s', (_, text, at) => {
    expect(wordAt(text, at)).toBeNull();
  });

  // A letter before "% off" would make it no discount, yet the mark alone is found.
  it('of a mark and letters has no letter before it', () => {
    expect(wordAt('a% off', 1)).toEqual({ kind: 'code', end: 2 });
  });
});

it('is compared in lower case, dashes as spaces, place by place', () => {
  expect(searchable('One-Time CODE')).toBe('one time code');
});
