import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/domain/sms/fold.ts';
import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';
import { corpus } from './corpus.ts';
import { messageLike } from './message-like.ts';

// Any sequence of UTF-16 units, lone surrogates included.
const anything = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units));

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
