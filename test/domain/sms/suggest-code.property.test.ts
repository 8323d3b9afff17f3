import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/domain/sms/fold.ts';
import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { corpus } from './corpus.ts';

// Any sequence of UTF-16 units, lone surrogates included.
const anything = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units));

// What messages are made of, put together at random: far more of it comes near to being a code.
const pieces = [
  ...[
    'code',
    'OTP',
    'your',
    'is',
    'Kode',
    'код',
    'رمز',
    'קוד',
    '验证码',
    'รหัส',
    'login',
    'order',
    'card ending',
    '20% off',
  ],
  ...[
    '482913',
    '4821',
    '48',
    '٤٨٢',
    '۹',
    '４８',
    '2025',
    '12:30',
    'A7K9Q2',
    'K7-M2',
    'G-4829',
    'BXQTR',
    'xx4821',
    'þa482',
  ],
  ...[
    ' ',
    ' ',
    ' ',
    '-',
    '.',
    ',',
    ':',
    '*',
    '+',
    '#',
    '@a.b',
    '\n',
    '(',
    '"',
    '$',
    ' Rp ',
    ' min',
    '\u202b',
    '\u200f',
    '\ud83d',
  ],
];
const messageLike = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

const messages = fc.oneof(anything, messageLike, fc.string({ unit: 'grapheme', maxLength: 200 }));

const ZEROS = ['٠', '۰', '०', '০', '๐', '０'];

describe('suggestCode, whatever the message', () => {
  it('answers null or 3 to 12 characters that a form takes, and never throws', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const code = suggestCode(message);
        return code === null || /^(?=.{3,12}$)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(code);
      }),
      { numRuns: 3000 },
    );
  });

  it('invents nothing: the characters of the code stand in the message, in their order', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const text = fold(message);
        let at = -1;
        return [...(suggestCode(message) ?? '')].every((character) => {
          at = text.indexOf(character, at + 1);
          return at >= 0;
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('reads the same with invisible characters between any two', () => {
    fc.assert(
      fc.property(messageLike, fc.constantFrom('\u200f', '\u2069', '\u200b', '\u00ad'), (message, unseen) => {
        expect(suggestCode(message.replaceAll('', unseen))).toBe(suggestCode(message));
      }),
    );
  });

  it('reads the same in every script of digits', () => {
    const withoutLinks = corpus.filter(({ message }) => !/[@/]|\.example/.test(message));
    fc.assert(
      fc.property(fc.constantFrom(...withoutLinks), fc.constantFrom(...ZEROS), ({ message }, zero) => {
        const other = message.replace(/[0-9]/g, (digit) =>
          String.fromCharCode(zero.charCodeAt(0) + Number(digit)),
        );
        expect(suggestCode(other)).toBe(suggestCode(message));
      }),
      { numRuns: 500 },
    );
  });

  // Places found in the folded text are looked up in its lower-case form.
  it('folds to a text that keeps its length in lower case', () => {
    fc.assert(
      fc.property(anything, (message) => fold(message).toLowerCase().length === fold(message).length),
    );
    for (let unit = 0; unit <= 0x10ffff; unit++) {
      const folded = fold(String.fromCodePoint(unit));
      if (folded.toLowerCase().length !== folded.length) expect.fail(`U+${unit.toString(16)}`);
    }
  });
});

// Each repeats what some step looks for, or nearly: runs that a backtracking pattern would read again and again.
const HOSTILE = [
  ...[
    'a',
    'A',
    '1',
    ' ',
    '\n',
    '*',
    '#',
    '((',
    '-',
    '1 ',
    '1-',
    '1.',
    '1,',
    '12:',
    'a-',
    'a.',
    '@a.',
    '@a.a',
    '@a.a #',
    '://',
  ],
  ...[
    'www.',
    'http://a ',
    'code ',
    'code',
    'code 4821 ',
    '482913 ',
    '482913,',
    'A7K9Q2 ',
    'A7-K9-',
    'BXQTR ',
    'aaaa1',
    'BBBB',
  ],
  ...[
    '+1 (5) ',
    'card 4821 ',
    'otp\n',
    'einmal',
    'код',
    '码',
    '验证码',
    '인증',
    'รหัส',
    'कोड ',
    '٤',
    '１',
    '\u202b4\u202c',
    '😀',
    '\ud800',
  ],
  // Combining marks out of order, which normalising the whole string would sort; one character that folds to eighteen.
  ...['\u0315\u0316', 'a\u0315\u0316\u0334', '\ufdfa'],
];

function fastestOf(runs: number, message: string): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++)
    fastest = Math.min(
      fastest,
      cpuTimeOf(() => suggestCode(message)),
    );
  return fastest;
}

describe('suggestCode, in linear time', () => {
  // Eight times the length: eight times the time if linear, 64 times if quadratic.
  it.each(HOSTILE)('over a message of %j', (piece) => {
    const short = fastestOf(3, piece.repeat(10_000 / piece.length));
    const long = fastestOf(2, piece.repeat(80_000 / piece.length));
    expect(long).toBeLessThan(Math.max(short, 5) * 30);
    expect(short).toBeLessThan(500);
  });

  it('over any piece repeated', () => {
    fc.assert(
      fc.property(messageLike, (piece) => {
        fc.pre(piece.length > 0);
        expect(fastestOf(2, piece.repeat(Math.ceil(10_000 / piece.length)))).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});
