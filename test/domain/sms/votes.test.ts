import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/domain/sms/candidates.ts';
import type { CueKind } from '../../../src/domain/sms/cue-words.ts';
import type { Cue } from '../../../src/domain/sms/cues.ts';
import type { Shape } from '../../../src/domain/sms/readings.ts';
import { elect } from '../../../src/domain/sms/votes.ts';

const cue = (kind: CueKind, start: number, end: number): Cue => ({ kind, start, end });
const number = (code: string, start: number, shape: Shape = 'plain'): Candidate => ({
  code,
  start,
  end: start + code.length,
  shape,
});
const plainly = (from: number, to: number): number => to - from;

describe('a word carries', () => {
  it.each<[CueKind, Shape, number]>([
    ['secret', 'plain', 159],
    ['secret', 'doubtful', 26],
    ['secret', 'unlikely', 4],
    ['code', 'plain', 139],
    ['code', 'doubtful', 26],
    ['code', 'unlikely', 4],
    ['warning', 'plain', 99],
    ['purpose', 'plain', 59],
    ['purpose', 'doubtful', 12],
  ])('%s, to a %s number: %d characters', (kind, shape, reach) => {
    const cues = [cue(kind, 0, 4)];
    expect(elect(cues, [number('4829', 4 + reach, shape)], plainly)).toBe('4829');
    expect(elect(cues, [number('4829', 5 + reach, shape)], plainly)).toBeNull();
  });

  it.each<[CueKind, Shape]>([
    ['warning', 'doubtful'],
    ['warning', 'unlikely'],
    ['purpose', 'unlikely'],
    ['other', 'plain'],
    ['other', 'doubtful'],
    ['offer', 'plain'],
    ['offer', 'unlikely'],
  ])('%s, to a %s number: not at all', (kind, shape) => {
    expect(elect([cue(kind, 0, 4)], [number('4829', 5, shape)], plainly)).toBeNull();
  });

  it('to a number that begins where it ends, and to one that ends where it begins', () => {
    expect(elect([cue('code', 0, 4)], [number('4829', 4)], plainly)).toBe('4829');
    expect(elect([cue('code', 4, 8)], [number('4829', 0)], plainly)).toBe('4829');
  });

  it('not to a number that it is a part of', () => {
    expect(elect([cue('secret', 2, 5)], [number('A7PIN9', 0, 'doubtful')], plainly)).toBeNull();
  });
});

describe('of several numbers, a word votes for', () => {
  const code = cue('code', 100, 104);

  it('the nearest, the one behind it rather than the one before it', () => {
    expect(elect([code], [number('11111', 92), number('4829', 112)], plainly)).toBe('4829');
    expect(elect([code], [number('11111', 94), number('4829', 154)], plainly)).toBe('11111');
    expect(elect([code], [number('11111', 75), number('4829', 109)], plainly)).toBe('4829');
  });

  it('the nearest, however many there are before and behind it', () => {
    const all = [number('11111', 0), number('222', 20), number('4829', 94), number('333', 150)];
    expect(elect([code], all, plainly)).toBe('4829');
    expect(elect([cue('code', 10, 14), code], [number('4829', 110)], plainly)).toBe('4829');
    expect(elect([code], [number('11111', 0), number('4829', 106), number('222', 150)], plainly)).toBe(
      '4829',
    );
  });

  it('a plain one rather than a doubtful one that is a little nearer', () => {
    expect(elect([code], [number('905', 105, 'doubtful'), number('4829', 114)], plainly)).toBe('4829');
  });

  it('a doubtful one that is much nearer', () => {
    expect(elect([code], [number('905', 105, 'doubtful'), number('4829', 164)], plainly)).toBe('905');
  });
});

describe('of several codes', () => {
  /** "code" right before the first, and a secret before the second, as far as said. */
  const between = (away: number): string | null =>
    elect(
      [cue('code', 0, 4), cue('secret', 100, 103)],
      [number('11111', 4), number('4829', 103 + away)],
      plainly,
    );

  it('one stands out by six', () => {
    expect(between(14)).toBe('4829');
    expect(between(15)).toBeNull();
    expect(between(25)).toBeNull();
    expect(between(26)).toBe('11111');
  });

  it('a code is worth its best vote, not its last', () => {
    const cues = [cue('secret', 0, 3), cue('purpose', 20, 24), cue('code', 100, 104)];
    expect(elect(cues, [number('4829', 4), number('11111', 105)], plainly)).toBe('4829');
  });

  it('none without a word', () => {
    expect(elect([], [number('4829', 4)], plainly)).toBeNull();
  });
});

describe('of twins', () => {
  const secret = cue('secret', 0, 3);

  it('none', () => {
    expect(elect([secret], [number('4829', 4), number('7712', 16)], plainly)).toBeNull();
    expect(elect([cue('secret', 20, 23)], [number('4829', 2), number('7712', 14)], plainly)).toBeNull();
  });

  it('the one, where the other is further off', () => {
    expect(elect([secret], [number('4829', 4), number('7712', 17)], plainly)).toBe('4829');
  });

  it('the one, where a sentence ends between them', () => {
    const distance = (from: number, to: number): number => to - from + (from < 10 && to > 10 ? 60 : 0);
    expect(elect([secret], [number('4829', 4), number('7712', 12)], distance)).toBe('4829');
  });

  it('the one, where the other is longer, or the same once more', () => {
    expect(elect([secret], [number('4829', 4), number('77125', 10)], plainly)).toBe('4829');
    expect(elect([secret], [number('4829', 4), number('4829', 10)], plainly)).toBe('4829');
  });

  it('a third, that has a name of its own', () => {
    const all = [number('4829', 4), number('7712', 100), number('5533', 106)];
    expect(elect([secret], all, plainly)).toBe('4829');
  });

  it('of letters and digits none, as of digits', () => {
    const all = [number('A7K9Q2', 4, 'doubtful'), number('B8L4R3', 12, 'doubtful')];
    expect(elect([secret], all, plainly)).toBeNull();
  });
});
