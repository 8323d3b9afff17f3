import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { messageLike } from './message-like.ts';

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
