import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStoredText, toStoredText } from '../../src/store/stored-text.ts';

/** UTF-16 of any kind, halves of pairs and NUL included, and much of what the escape itself is made of. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('\\', 'u', '0', 'd', '8', '\0', '\ud83d', '\ude00', '\\u0000', '😀'),
  ),
});

describe('stored text', () => {
  it('gives back what it was given', () => {
    fc.assert(fc.property(anyText, (text) => fromStoredText(toStoredText(text)) === text));
  });

  it('is what every database takes: well-formed, and without NUL', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = toStoredText(text);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toContain('\0');
      }),
    );
  });

  it('is the same for the same text alone', () => {
    fc.assert(fc.property(anyText, anyText, (a, b) => (toStoredText(a) === toStoredText(b)) === (a === b)));
  });

  it('leaves ordinary text as it is, to be read by a person in the database', () => {
    for (const text of ['', 'Your code is 123-456', 'Код: 42 😀\r\n', '{"a":"b"}']) {
      expect(toStoredText(text)).toBe(text);
    }
  });
});
