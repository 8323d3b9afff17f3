import { describe, expect, it } from 'vitest';
import { candidatesOf } from '../../../src/domain/sms/candidates.ts';
import { findCues } from '../../../src/domain/sms/cues.ts';
import { distanceIn } from '../../../src/domain/sms/distance.ts';
import { findNumerals } from '../../../src/domain/sms/numerals.ts';

const filler = (length: number): string => ` ${'x'.repeat(length - 2)} `;

function candidates(text: string): readonly (readonly [code: string, shape: string])[] {
  const found = candidatesOf(text, findNumerals(text), findCues(text), distanceIn(text));
  for (const { code, start, end } of found) expect(text.slice(start, end)).toBe(code);
  return found.map(({ code, shape }) => [code, shape]);
}

describe('a number that could be the code', () => {
  it.each([
    ['right after its name', 'code 4829', 'plain'],
    ['after a word, near its name', 'code ab 4829', 'plain'],
    ['after a word, less near', 'code abc 4829', 'doubtful'],
    ['after a name that is a number itself', '2FA 4829', 'plain'],
    ['after an unknown word', 'reading 4829', 'doubtful'],
    ['of a doubtful shape, after an unknown word', 'reading 905', 'unlikely'],
    ['of an unlikely shape, after an unknown word', 'reading BXQTR', 'unlikely'],
    ['of an unlikely shape, after a link', 'it is: BXQTR', 'unlikely'],
    ['not named, as the promise of a code comes before', 'Code for your card is 4829', 'plain'],
    ['nor with a secret', 'OTP for your card is 4829', 'plain'],
    ['nor at three characters', 'code card - 4829', 'plain'],
    ['nor at 59 from the promise', `code${filler(59)}card is 4829`, 'plain'],
    ['too far from the other name', `card${filler(25)}4829`, 'doubtful'],
    ['before the other name', '4829: card', 'plain'],
  ])('%s', (_, text, shape) => {
    const code = /4829|905|BXQTR/.exec(text)?.[0];
    expect(candidates(text)).toEqual([[code, shape]]);
  });

  it.each([
    ['a time', 'code 12:30'],
    ['an amount', 'code Rp 4829'],
    ['of another name', 'card 4829'],
    ['of another name, a word between', 'card is 4829'],
    ['of another name, as far as it carries', `card${filler(24)}4829`],
    ['of another name, right behind the promise', 'code card: 4829'],
    ['of another name, where one only logs in', 'login with the card is 4829'],
    ['of another name, a sentence behind the promise', 'Here is the code. The card is 4829'],
    ['of another name, 60 behind the promise', `code${filler(60)}card is 4829`],
    ['of the last of several names', 'OTP card 4829'],
  ])('is not %s', (_, text) => {
    expect(candidates(text)).toEqual([]);
  });

  it('takes a name for the next number alone', () => {
    expect(candidates('card 7712, 4829')).toEqual([['4829', 'plain']]);
    expect(candidates('code 7712, card 4829, code 5533')).toEqual([
      ['7712', 'plain'],
      ['5533', 'plain'],
    ]);
  });
});
