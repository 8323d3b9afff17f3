import { describe, expect, it } from 'vitest';
import { findNumerals } from '../../../src/domain/sms/numerals.ts';

/** What stands in the text, what it would be as a code, and of which shape. */
type Found = readonly [written: string, code: string | null, shape: string];

function finds(name: string, cases: readonly (readonly [text: string, numerals: readonly Found[]])[]): void {
  describe(name, () => {
    it.each(cases)('%j', (text, numerals) => {
      const found = findNumerals(text).map(
        ({ start, end, code, shape }): Found => [text.slice(start, end), code, shape],
      );
      expect(found).toEqual(numerals);
    });
  });
}

/** The whole text is one numeral. */
const whole = (
  text: string,
  code: string | null,
  shape = 'doubtful',
): readonly [string, readonly Found[]] => [text, [[text, code, shape]]];

finds('digits alone', [
  whole('12', null),
  whole('905', '905'),
  whole('4829', '4829', 'plain'),
  whole('48291300', '48291300', 'plain'),
  whole('482913001', '482913001'),
  whole('9051234567', '9051234567'),
  whole('90512345678', null),
  whole('1999', '1999'),
  whole('2025', '2025'),
  whole('1899', '1899', 'plain'),
  whole('2100', '2100', 'plain'),
  whole('20251', '20251', 'plain'),
  whole('202512', '202512', 'plain'),
  whole('120251', '120251', 'plain'),
]);

finds('letters with digits', [
  whole('A7K9Q2', 'A7K9Q2'),
  whole('a7k9', 'a7k9'),
  whole('7aK9', '7aK9'),
  whole('A7', null),
  whole('A79', null),
  whole('A7K9Q2M4X8', 'A7K9Q2M4X8'),
  whole('A7K9Q2M4X8B', null),
  whole('þa4829', null),
  whole('a4829þ', null),
  whole('kX7mP2qa', 'kX7mP2qa'),
]);

finds('a number with its unit, or a word with a number', [
  whole('30min', null),
  whole('5min', null),
  whole('1440s', null),
  whole('30mins2', null),
  whole('4829a7', '4829a7'),
  whole('9h30', null),
  whole('12H30', null),
  whole('12h3', null),
  whole('12h305', null),
  whole('12h30A', '12h30A'),
  whole('12h30m', '12h30m'),
  whole('300GB', null),
  whole('300M', null),
  whole('3000K', null),
  whole('30GBX', '30GBX'),
  whole('xx4821', null),
  whole('X4821', null),
  whole('XXX4', null),
  whole('XX48A1', 'XX48A1'),
  whole('SAVE20', null),
  whole('SAVE2', null),
  whole('SAVE2025', 'SAVE2025'),
  whole('SAV20', 'SAV20'),
  whole('A20', null),
  whole('AB20', 'AB20'),
  whole('iPhone15', null),
  whole('A1word', null),
  whole('K7pass9Q', null),
  whole('K7QpassZ9', null),
  whole('K7QXpas9', 'K7QXpas9'),
]);

finds('capitals that are no word', [
  whole('BXQTR', 'BXQTR', 'unlikely'),
  whole('ABXQTR', 'ABXQTR', 'unlikely'),
  whole('AEBXQTR', 'AEBXQTR', 'unlikely'),
  whole('BXQTRAEI', 'BXQTRAEI', 'unlikely'),
  ['BXQTRAEIO', []],
  ['aBXQTR', []],
  ['BXQTRa', []],
  ['BXQT', []],
  ['EXPIRED', []],
  ['bxqtr', []],
]);

finds('groups of one size', [
  whole('482-913', '482913', 'plain'),
  whole('4829-1300', '48291300', 'plain'),
  whole('4-8-2-9', '4829', 'plain'),
  whole('4-8-2', null),
  whole('48-29', '4829'),
  whole('48-29-13', '482913'),
  whole('482-913-001', '482913001'),
  whole('4-8-2-9-1-3-0-0-1-5', null),
  whole('482-91', null),
  whole('48-291', null),
  whole('48291-30015', null),
  whole('482.913', '482913'),
  whole('12.50', null),
  whole('1.5', null),
  whole('12.05.25', '120525'),
  whole('482-913.001', null),
  whole('4.8.2.9', '4829'),
  ['48 29', [['48 29', '4829', 'plain']]],
  ['48 29 13', [['48 29 13', '482913', 'plain']]],
  ['4 8 2 9 1 3', [['4 8 2 9 1 3', '482913', 'plain']]],
  ['4829 1300', [['4829 1300', '48291300', 'plain']]],
  ['482 913 001', [['482 913 001', '482913001', 'doubtful']]],
]);

finds('numbers that merely meet', [
  [
    '482913 30',
    [
      ['482913', '482913', 'plain'],
      ['30', null, 'doubtful'],
    ],
  ],
  [
    '482913 771204',
    [
      ['482913', '482913', 'plain'],
      ['771204', '771204', 'plain'],
    ],
  ],
  [
    '4829  1300',
    [
      ['4829', '4829', 'plain'],
      ['1300', '1300', 'plain'],
    ],
  ],
  [
    '4829. 1300',
    [
      ['4829', '4829', 'plain'],
      ['1300', '1300', 'plain'],
    ],
  ],
  [
    '482 A7K9',
    [
      ['482', '482', 'doubtful'],
      ['A7K9', 'A7K9', 'doubtful'],
    ],
  ],
  [
    'A7K9 482',
    [
      ['A7K9', 'A7K9', 'doubtful'],
      ['482', '482', 'doubtful'],
    ],
  ],
  [
    '12:30 48',
    [
      ['12:30', null, 'doubtful'],
      ['48', null, 'doubtful'],
    ],
  ],
  [
    '48 12:30',
    [
      ['48', null, 'doubtful'],
      ['12:30', null, 'doubtful'],
    ],
  ],
  [
    'A7K-482 913',
    [
      ['A7K-482', 'A7K-482', 'doubtful'],
      ['913', '913', 'doubtful'],
    ],
  ],
  [
    'A7-482 913',
    [
      ['A7-482', 'A7-482', 'doubtful'],
      ['913', '913', 'doubtful'],
    ],
  ],
]);

finds('phone numbers', [
  ['+1 (555) 010-4477', [['1 (555) 010-4477', null, 'doubtful']]],
  ['+49 30 1234', [['49 30 1234', null, 'doubtful']]],
  ['+62 812 3456 7890', [['62 812 3456 7890', null, 'doubtful']]],
  ['+1.(555)', [['1.(555', null, 'doubtful']]],
  ['0800 123 4567', [['0800 123 4567', null, 'doubtful']]],
  ['0800 12345', [['0800 12345', null, 'doubtful']]],
  ['0800 1234', [['0800 1234', '08001234', 'plain']]],
  [
    '080 12345',
    [
      ['080', '080', 'doubtful'],
      ['12345', '12345', 'plain'],
    ],
  ],
  [
    '080 123456',
    [
      ['080', '080', 'doubtful'],
      ['123456', '123456', 'plain'],
    ],
  ],
  [
    '+49 abc 4829',
    [
      ['49', null, 'doubtful'],
      ['4829', '4829', 'plain'],
    ],
  ],
  [
    '+49 - 4829',
    [
      ['49', null, 'doubtful'],
      ['4829', '4829', 'plain'],
    ],
  ],
  [
    '+49, 4829',
    [
      ['49', null, 'doubtful'],
      ['4829', '4829', 'plain'],
    ],
  ],
  [
    '+49 ,4829',
    [
      ['49', null, 'doubtful'],
      ['4829', '4829', 'plain'],
    ],
  ],
  [
    '4829 (1300)',
    [
      ['4829', '4829', 'plain'],
      ['1300', '1300', 'plain'],
    ],
  ],
]);

finds('dates, times, amounts', [
  whole('12:30', null),
  whole('14:30:15', null),
  whole('12/05/2025', null),
  whole('2025-05-12', null),
  whole('2,500', null),
  whole('1,250,000', null),
  whole('12,50', null),
  whole('1.250,00', null),
  [
    '482913,5',
    [
      ['482913', '482913', 'plain'],
      ['5', null, 'doubtful'],
    ],
  ],
  [
    '482913,7712',
    [
      ['482913', '482913', 'plain'],
      ['7712', '7712', 'plain'],
    ],
  ],
  [
    '482913:A7',
    [
      ['482913', '482913', 'plain'],
      ['A7', null, 'doubtful'],
    ],
  ],
  [
    '482913:7A9',
    [
      ['482913', '482913', 'plain'],
      ['7A9', null, 'doubtful'],
    ],
  ],
  [
    '48A9:4829',
    [
      ['48A9', '48A9', 'doubtful'],
      ['4829', '4829', 'plain'],
    ],
  ],
  [
    'A7K9:4829',
    [
      ['A7K9', 'A7K9', 'doubtful'],
      ['4829', '4829', 'plain'],
    ],
  ],
  [
    '4829. 7712:',
    [
      ['4829', '4829', 'plain'],
      ['7712', '7712', 'plain'],
    ],
  ],
  [
    '4829!7712',
    [
      ['4829', '4829', 'plain'],
      ['7712', '7712', 'plain'],
    ],
  ],
]);

finds('a prefix, and groups that mix', [
  whole('G-482913', '482913', 'plain'),
  whole('QRT-550912', '550912', 'plain'),
  whole('FB-12', null),
  whole('G-48-29', null),
  whole('K7QX-M2P9', 'K7QX-M2P9'),
  whole('A7-48', null),
  whole('A7-482', 'A7-482'),
  whole('7A-482', '7A-482'),
  whole('AB7C-4829', 'AB7C-4829'),
  whole('A7K9Q2-M2P9X', 'A7K9Q2-M2P9X'),
  whole('A7K9Q2-M2P9X4', null),
  whole('K7-M2P9-X4', null),
  whole('xx48-A7K9', null),
  whole('A7K9-30min', null),
  whole('A7K9-iPhone15', null),
  whole('þ7-A482', null),
  whole('A482-7þ', null),
  whole('4829-A7', '4829-A7'),
  ['ABC-DEF', []],
  ['4829-abc', [['4829', '4829', 'plain']]],
]);

finds('a name written onto its code', [
  ['OTP482913', [['482913', '482913', 'plain']]],
  ['pin4829', [['4829', '4829', 'plain']]],
  ['Code4829', [['4829', '4829', 'plain']]],
  ['codeA7K9', [['codeA7K9', null, 'doubtful']]],
]);
