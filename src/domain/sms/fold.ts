// One zero per decimal script a form does not take; the nine digits follow their zero in Unicode.
const ZEROS = '٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐';
const ASCII_DIGIT = new Map(
  [...ZEROS].flatMap((zero) =>
    Array.from({ length: 10 }, (_, value): [string, string] => [
      String.fromCodePoint((zero.codePointAt(0) ?? 0) + value),
      String(value),
    ]),
  ),
);

// What compatibility decomposition leaves whole, and what would be read wrong after it.
const SPELLED = new Map(
  Object.entries({
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ø: 'o',
    Ø: 'O',
    æ: 'ae',
    Æ: 'AE',
    ß: 'ss',
    ı: 'i',
    '№': '#',
    '٪': '%',
    '٫': '.',
    '٬': ',',
    '،': ', ',
    '，': ', ',
    '‐': '-',
    '‑': '-',
    '–': '-',
    '—': '-',
    '−': '-',
    ی: 'ي',
    ک: 'ك',
    '\t': ' ',
    '\r': '\n',
    '\u0640': '', // Arabic stretching
  }),
);

const UNWRITTEN = /[\p{Mn}\p{Cf}]/gu;

const plain = (character: string): string =>
  SPELLED.get(character) ?? ASCII_DIGIT.get(character) ?? character.normalize('NFKD').replace(UNWRITTEN, '');

/**
 * The message in its plainest spelling: any script's digits as ASCII, full width as half width, letters without
 * accents and points, no bidi or zero-width controls, one space where several were. Letter case is kept.
 */
export function fold(message: string): string {
  // Character by character: normalising the whole string sorts its combining marks, which a hostile run of them
  // makes quadratic.
  return message.replace(/[^\n -~]/gu, plain).replace(/ +/g, ' ');
}
