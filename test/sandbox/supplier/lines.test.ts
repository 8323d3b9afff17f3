import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldLine, freshLines, splitLines } from '../../../src/sandbox/supplier/lines.ts';

/** Few letters, so that repeats are common, with all that splitting and trimming looks at. */
const element = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'É', 'é', ' ', '\t', '\n', '\r\n', '\r', ':'),
});
const batch = fc.array(element, { maxLength: 8 });

describe('splitting', () => {
  it.each([
    ['LF and CRLF', ['a\nb\r\nc'], ['a', 'b', 'c']],
    ['a trailing break makes no further line', ['a\r\n', 'b\n'], ['a', 'b']],
    ['space around and blank lines', ['  a \n\n \t \r\n b'], ['a', 'b']],
    ['space and letter case inside stay', ['User Name : Pa ss'], ['User Name : Pa ss']],
    ['a lone CR is no break', ['a\rb'], ['a\rb']],
    ['what is no text', ['a', 7, null, { b: 1 }, ['c']], ['a']],
  ])('%s', (_, accounts, lines) => {
    expect(splitLines(accounts)).toEqual(lines);
  });

  it.each([[undefined], [null], ['a\nb'], [{ 0: 'a' }]])(
    'finds no line in %j, which is no list',
    (accounts) => {
      expect(splitLines(accounts)).toEqual([]);
    },
  );

  it('gives the same for one element of many lines as for many elements', () => {
    fc.assert(
      fc.property(batch, fc.constantFrom('\n', '\r\n'), (elements, lineBreak) => {
        expect(splitLines([elements.join(lineBreak)])).toEqual(splitLines(elements));
      }),
    );
  });

  it('leaves lines without breaks, blanks or space around', () => {
    fc.assert(
      fc.property(batch, (elements) => {
        for (const line of splitLines(elements)) {
          expect(line).not.toBe('');
          expect(line).toBe(line.trim());
          expect(line).not.toContain('\n');
        }
      }),
    );
  });
});

describe('the fold', () => {
  it.each([
    ['USER:Pass', 'user:pASS', true],
    ['É', 'é', true],
    ['ΣΑΣ', 'σας', true],
    ['straße', 'STRASSE', false],
    ['\u00e9', 'e\u0301', false],
  ])('%s and %s: same %s', (one, other, same) => {
    expect(foldLine(one) === foldLine(other)).toBe(same);
  });
});

describe('repeats and the cut', () => {
  it('keeps the first spelling, drops repeats before it cuts', () => {
    expect(freshLines(['A', 'a', 'b', 'B', 'c', 'd'], new Set(['c']), 2)).toEqual(['A', 'b']);
    expect(freshLines(['x', 'X', 'y'], new Set(), 2)).toEqual(['x', 'y']);
    expect(freshLines(['x'], new Set(), 0)).toEqual([]);
  });

  it('never exceeds the room, never repeats, keeps the order, and fills the room where it can', () => {
    fc.assert(
      fc.property(batch, batch, fc.nat({ max: 6 }), (elements, earlier, room) => {
        const split = splitLines(elements);
        const stored = new Set(splitLines(earlier).map(foldLine));
        const fresh = freshLines(split, stored, room);
        const folds = fresh.map(foldLine);
        const wanted = new Set(split.map(foldLine).filter((fold) => !stored.has(fold)));
        expect(fresh).toHaveLength(Math.min(room, wanted.size));
        expect(folds).toEqual([...wanted].slice(0, room));
        expect(split).toEqual(expect.arrayContaining([...fresh]));
      }),
    );
  });
});
