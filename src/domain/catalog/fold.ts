/** Letters that do not come apart into a base and an accent, and that people still type without. And sigma, which ends words another way. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ß: 'ss',
  ς: 'σ',
};

/**
 * Text for comparing without letter case and accents. Only the combining marks of European scripts fall away: in
 * Devanagari or Bengali the marks are vowels, and a word without them is another word.
 */
export function fold(text: string): string {
  return (
    text
      // Before letter case: a sign such as ™ comes apart into capitals.
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toUpperCase()
      .toLowerCase()
      .replace(/[øłđðħıæœþßς]/g, (letter) => UNDECOMPOSED[letter] ?? letter)
      .trim()
  );
}
