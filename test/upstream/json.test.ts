import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  InexactNumber,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
} from '../../src/upstream/json.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function read(text: string): JsonValue {
  const parsed = parseJson(bytes(text));
  if (parsed.kind === 'not-json') throw new Error(parsed.why);
  return parsed.value;
}

/** What the reader makes of a value that JSON.parse gave. */
function expected(value: unknown): unknown {
  if (typeof value === 'number') return Object.is(value, -0) ? 0 : value;
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expected(inner)]));
  }
  return value;
}

/** The same with the numbers that only JSON.parse takes put back. */
function rounded(value: JsonValue): unknown {
  if (value instanceof InexactNumber) return expected(Number(value.text));
  if (isJsonArray(value)) return value.map(rounded);
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
  }
  return value;
}

describe('what JSON.parse reads', () => {
  it('is read alike, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '\r\n '), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(rounded(read(text))).toEqual(expected(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('is read alike in any mangled text, or refused for one of the named reasons', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"a"', '"b"', '"\\u00e9"', '"\\ud83d"', '"\\n"', '"é😀"', '""'],
      ...['0', '-0', '-', '1', '12', '01', '1.5', '1.', '.5', '1e3', '1E+2', '1e', '9007199254740991'],
      ...['9007199254740992', '-9007199254740993', 'true', 'false', 'null', 'nul', 'NaN', ' ', '\n', '\t'],
      ...['\\', '"', "'", '\u00a0', '\u0001', '"\u0001"', '"\u007f"', '/*x*/', '"__proto__"', '\ufeff'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const parsed = parseJson(bytes(text));
        let native: unknown;
        try {
          native = JSON.parse(text);
        } catch {
          expect(parsed.kind).toBe('not-json');
          return;
        }
        if (parsed.kind === 'json') expect(rounded(parsed.value)).toEqual(expected(native));
        else expect(parsed.why).toContain('equal keys in one object');
      }),
      { numRuns: 5_000 },
    );
  });

  it('is read alike in text built of objects and lists', () => {
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          '1',
          '-17',
          '1.0',
          '1e400',
          '"x"',
          '"\\"\\\\\\/\\b\\f\\r\\t"',
          'true',
          'null',
          '[]',
          '{}',
        ),
        fc.array(tie('document'), { maxLength: 4 }).map((items) => `[ ${items.join(' ,')}]`),
        fc
          .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor', '1'), tie('document')), {
            maxLength: 3,
          })
          .map((members) => `{${members.map(([key, value]) => `"${key}" : ${value}`).join(',')} }`),
      ),
    }));
    fc.assert(
      fc.property(document, (text) => {
        const parsed = parseJson(bytes(text));
        if (parsed.kind === 'json') expect(rounded(parsed.value)).toEqual(expected(JSON.parse(text)));
        else expect(parsed.why).toContain('equal keys in one object');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('numbers', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['7', 7],
    ['-2147483648', -2147483648],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
  ])('%s is an integer', (text, value) => {
    expect(Object.is(read(text), value)).toBe(true);
  });

  it.each([
    ...['9007199254740992', '9007199254740993', '-9007199254740992', '123456789012345678901234567890'],
    ...['1.0', '1.5', '-0.0', '0e0', '1e2', '1E2', '1e+2', '1e-2', '1e400', '12.50'],
  ])('%s is kept as written, and no schema takes it for an integer', (text) => {
    const value = read(text);
    expect(value).toBeInstanceOf(InexactNumber);
    expect(value).toEqual(new InexactNumber(text));
    expect(z.int().safeParse(value).success).toBe(false);
    expect(z.number().safeParse(value).success).toBe(false);
  });

  it.each([
    '01',
    '-01',
    '00',
    '+1',
    '.5',
    '1.',
    '-',
    '1e',
    '1e+',
    '0x10',
    'NaN',
    'Infinity',
    '-Infinity',
    '1_000',
  ])('%s is no JSON', (text) => {
    expect(parseJson(bytes(text)).kind).toBe('not-json');
    expect(parseJson(bytes(`[${text}]`)).kind).toBe('not-json');
  });
});

describe('what JSON.parse mends in silence', () => {
  it.each(['{"a":1,"a":2}', '{"a":1,"b":2,"a":1}', '[{"x":{"id":1,"id":1}}]', '{"a":1,"\\u0061":2}'])(
    'equal keys are refused: %s',
    (text) => {
      expect(parseJson(bytes(text))).toMatchObject({
        kind: 'not-json',
        why: expect.stringContaining('equal keys in one object'),
      });
    },
  );

  it('equal __proto__ keys are refused too', () => {
    expect(parseJson(bytes('{"__proto__":1,"__proto__":2}')).kind).toBe('not-json');
  });

  it.each([
    ['a byte that is never UTF-8', [0x22, 0xff, 0x22]],
    ['a sequence cut off', [0x22, 0xc3, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0x22, 0x00, 0x61, 0x00, 0x22, 0x00]],
  ])('%s is refused', (_name, codes) => {
    expect(parseJson(Uint8Array.from(codes)).kind).toBe('not-json');
  });

  it('a byte order mark is refused unless it is allowed, and then only at the start', () => {
    expect(parseJson(bytes('\ufeff{}')).kind).toBe('not-json');
    expect(parseJson(bytes('\ufeff{}'), { allowBom: true })).toEqual({ kind: 'json', value: {} });
    expect(parseJson(bytes('\ufeff\ufeff{}'), { allowBom: true }).kind).toBe('not-json');
    expect(parseJson(bytes('{\ufeff}'), { allowBom: true }).kind).toBe('not-json');
  });
});

it.each([
  'A name of more than thirteen characters',
  `A message, which is ${'longer than any name '.repeat(9)}`,
  'Two lines of text,\nthe second one of more than thirteen characters',
])('a kept text does not hold the one it stood in: %j', (name) => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const page = bytes(JSON.stringify([{ name }, 'x'.repeat(1_000_000)]));
  const kept: JsonValue[] = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 30; i++) {
    const parsed = parseJson(page);
    const row = parsed.kind === 'json' && isJsonArray(parsed.value) ? parsed.value[0] : undefined;
    if (isJsonObject(row)) kept.push(row['name'] ?? null);
  }
  collect();
  expect(kept).toHaveLength(30);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
});

describe('hostile text', () => {
  it('__proto__ and constructor are keys like any other: no prototype changes, and closed shapes refuse them', () => {
    const value = read('{"__proto__":{"admin":true},"constructor":1,"id":7}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
    if (!isJsonObject(value)) throw new Error('no object');
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'id']);
    expect(value['admin']).toBeUndefined();
    expect(z.object({ id: z.int() }).parse(value)).toEqual({ id: 7 });
    expect(z.strictObject({ id: z.int() }).safeParse(read('{"__proto__":{},"id":7}')).success).toBe(false);
    expect(z.strictObject({ id: z.int() }).safeParse(read('{"id":7}')).success).toBe(true);
  });

  it('is read down to 64 levels, and never ends the process', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(bytes(nested(64))).kind).toBe('json');
    expect(parseJson(bytes(nested(65))).kind).toBe('not-json');
    expect(parseJson(bytes('{"a":'.repeat(65))).kind).toBe('not-json');
    expect(parseJson(bytes('['.repeat(1_000_000))).kind).toBe('not-json');
  });

  it.each([
    '',
    ' ',
    '{',
    '[1',
    '[1,',
    '[1,]',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '"',
    '"\\',
    '"\\u00',
    'tru',
  ])('cut off, it is no JSON: %j', (text) => {
    expect(parseJson(bytes(text)).kind).toBe('not-json');
  });

  it('the reason quotes nothing of the text', () => {
    for (const text of ['{"secret":1,"secret":2}', '{"a":secret}', '"secret', '{"secret" 1}']) {
      expect(JSON.stringify(parseJson(bytes(text)))).not.toContain('secret');
    }
  });

  it('an object is told from the numbers that are objects to JavaScript', () => {
    expect(isJsonObject(read('1.5'))).toBe(false);
    expect(isJsonObject(read('[]'))).toBe(false);
    expect(isJsonObject(read('null'))).toBe(false);
    expect(isJsonObject(read('{}'))).toBe(true);
  });
});
