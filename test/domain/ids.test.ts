import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseAttemptId,
  parseBusinessJobId,
  parseCallerName,
  parseCatalogProductId,
  parseCountryId,
  parseDeliveryId,
  parseIdempotencyKey,
  parseKeyId,
  parseOperatorId,
  parseOrderId,
  parseOrderIdText,
  parsePlatformId,
  parseProductId,
  parseSupplierOrderId,
} from '../../src/domain/ids.ts';

describe('numbers as ids', () => {
  const parsers = [
    ['order', parseOrderId],
    ['product', parseProductId],
    ['catalog product', parseCatalogProductId],
    ['country', parseCountryId],
    ['platform', parsePlatformId],
    ['operator', parseOperatorId],
  ] as const;

  describe.each(parsers)('%s', (_, parse) => {
    it.each([0, 1, 4_410_001, 2 ** 31 - 1, -1, -(2 ** 31)])('takes %d', (value) => {
      expect(parse(value)).toBe(value);
    });

    it.each([
      2 ** 31,
      -(2 ** 31) - 1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      false,
      '7',
      null,
      undefined,
      7n,
      {},
      [7],
    ])('refuses %s', (value) => {
      expect(parse(value)).toBeNull();
    });
  });

  it.each([
    ['0', 0],
    ['7', 7],
    ['4410001', 4_410_001],
    ['2147483647', 2 ** 31 - 1],
    ['-1', -1],
    ['-2147483648', -(2 ** 31)],
  ])('an order by its text %s', (text, id) => {
    expect(parseOrderIdText(text)).toBe(id);
  });

  it.each([
    '',
    ' ',
    ' 7',
    '7 ',
    '7\n',
    '007',
    '-0',
    '+7',
    '1e3',
    '1.0',
    '0x7',
    '2147483648',
    '-2147483649',
    '99999999999',
    '７',
    '../balance',
    '1?x=',
    'NaN',
  ])('is not to be had by the text %j', (text) => {
    expect(parseOrderIdText(text)).toBeNull();
  });

  it('writes every order id as text that names it alone', () => {
    fc.assert(
      fc.property(fc.integer(), (id) => {
        expect(parseOrderIdText(String(id))).toBe(parseOrderId(id));
      }),
    );
  });
});

describe('a caller name', () => {
  it.each(['a', '7', 'web-shop', 'A.b_c-9', 'a'.repeat(64)])('%s', (name) => {
    expect(parseCallerName(name)).toBe(name);
  });

  it.each(['', '-a', '.a', '_a', 'a b', 'a\n', 'é', 'a/b', 'a:b', 'a'.repeat(65)])('is not %j', (name) => {
    expect(parseCallerName(name)).toBeNull();
  });
});

describe('a business job id', () => {
  it.each([
    'a',
    'order 7 / part b',
    'Auftrag Nr. 7 — größer',
    '注文-7',
    '🎉',
    ' leading and trailing ',
    'right\u200eto left',
    'a'.repeat(200),
    '🎉'.repeat(200),
  ])('%j', (id) => {
    expect(parseBusinessJobId(id)).toBe(id);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['other blanks', '\u00a0\u2003'],
    ['a line break', 'a\nb'],
    ['a carriage return', 'a\r'],
    ['a tab', 'a\tb'],
    ['NUL', 'a\0'],
    ['escape', '\u001b[31m'],
    ['delete', 'a\u007f'],
    ['a C1 control', 'a\u0085'],
    ['half a surrogate pair', 'a\ud83c'],
    ['the other half', '\udf89b'],
    ['halves the wrong way round', '\udf89\ud83c'],
    ['201 characters', 'a'.repeat(201)],
    ['201 characters of two units each', '🎉'.repeat(201)],
  ])('is not %s', (_, id) => {
    expect(parseBusinessJobId(id)).toBeNull();
  });

  it('has 200 characters at most, counted as code points', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '字', '🎉'), { minLength: 1, maxLength: 260 }),
        (points) => {
          expect(parseBusinessJobId(points.join('')) !== null).toBe(points.length <= 200);
        },
      ),
    );
  });
});

describe('an idempotency key', () => {
  it.each(['a', 'A-Z_0-9', '-', '_', 'k'.repeat(128)])('%s', (key) => {
    expect(parseIdempotencyKey(key)).toBe(key);
  });

  it.each(['', 'a b', 'a.b', 'a:b', 'a\r\nX-Evil: 1', 'a\n', 'é', 'ａ', 'a,b', 'k'.repeat(129)])(
    'is not %j',
    (key) => {
      expect(parseIdempotencyKey(key)).toBeNull();
    },
  );

  it('holds no character but those of the provider', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), (text) => {
        const allowed = [...text].every((character) => ALLOWED.includes(character));
        expect(parseIdempotencyKey(text) !== null).toBe(allowed);
      }),
      { numRuns: 500 },
    );
  });
});

const ALLOWED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

describe('ids made here', () => {
  it.each([
    ['attempt', parseAttemptId],
    ['key', parseKeyId],
    ['delivery', parseDeliveryId],
  ] as const)('%s: 1 to 64 of the token alphabet', (_, parse) => {
    expect(parse('aZ0_-')).toBe('aZ0_-');
    expect(parse('a'.repeat(64))).toBe('a'.repeat(64));
    for (const text of ['', 'a'.repeat(65), 'a.b', 'a b', 'a/b', 'a\n', 'é']) expect(parse(text)).toBeNull();
  });
});

describe('a supplier order id', () => {
  it.each([
    ['64f0c2', '64f0c2'],
    ['a/b?c', 'a/b?c'],
    ['~', '~'],
    [17, '17'],
    [0, '0'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ])('%j', (value, id) => {
    expect(parseSupplierOrderId(value)).toBe(id);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    'a b',
    'a\n',
    'é',
    'x'.repeat(129),
    1.5,
    2 ** 53,
    Number.NaN,
    true,
    null,
    undefined,
    {},
  ])('is not %j', (value) => {
    expect(parseSupplierOrderId(value)).toBeNull();
  });
});
