import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/domain/catalog/fold.ts';

describe('comparing names without letter case and accents', () => {
  it.each([
    ['letter case', 'TeleGRAM', 'telegram'],
    ['accents', "Côte d'Ivoire", "cote d'ivoire"],
    ['an accent that stands apart', 'Co\u0302te', 'cote'],
    ['Vietnamese', 'Việt Nam – Đà Nẵng', 'viet nam – da nang'],
    ['Turkish, dotted', 'İSTANBUL', 'istanbul'],
    ['Turkish, dotless', 'Iğdır', 'igdir'],
    ['Nordic', 'Ærøskøbing', 'aeroskobing'],
    ['Polish', 'Łódź', 'lodz'],
    ['Croatian', 'Đakovo', 'dakovo'],
    ['Maltese', 'Ħamrun', 'hamrun'],
    ['Icelandic', 'Þórður', 'thordur'],
    ['French', 'Œuvre', 'oeuvre'],
    ['German', 'STRASSE', 'straße'],
    ['Greek, whose last sigma looks another way', 'ΟΔΟΣ', 'οδοσ'],
    ['Greek accents', 'Ελλάδα', 'ελλαδα'],
    ['Cyrillic', 'Ёлка Йод', 'елка иод'],
    ['full width', 'ＬＩＮＥ', 'line'],
    ['a sign made of letters', 'Shop™', 'shoptm'],
    ['a ligature', 'ﬁne', 'fine'],
    ['space around', '  Line\t', 'line'],
  ])('%s', (_, one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it('finds a part of a word whose last sigma is none in the whole', () => {
    expect(fold('ΟΔΟΣΑ')).toContain(fold('οδος'));
    expect(fold('οδος')).toBe('οδοσ');
  });

  it.each([
    ['Hindi', 'भारत'],
    ['Bengali', 'বাংলাদেশ'],
    ['Thai', 'ประเทศไทย'],
    ['Arabic', 'مصر'],
    ['Chinese', '中国'],
  ])('keeps what is no accent: %s', (_, name) => {
    expect(fold(name)).toBe(name.normalize('NFKD'));
  });

  it('keeps apart what people keep apart', () => {
    expect(fold('कि')).not.toBe(fold('क'));
    expect(fold('China')).not.toBe(fold('Chile'));
  });

  it('finds the same again in what it made', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not see letter case or composition, of any letter of an alphabet', () => {
    for (let point = 0; point < 0x3000; point++) {
      const letter = String.fromCodePoint(point);
      // The iota that ancient Greek writes below a letter becomes a letter of its own in capitals.
      if (letter.normalize('NFD').includes('\u0345')) continue;
      const folded = fold(letter);
      const others = [
        letter.toUpperCase(),
        letter.toLowerCase(),
        letter.normalize('NFD'),
        letter.normalize('NFC'),
        folded,
      ];
      const strange = others.find((other) => fold(other) !== folded);
      if (strange !== undefined) throw new Error(`${point.toString(16)}: ${letter} ${strange}`);
    }
  });
});
