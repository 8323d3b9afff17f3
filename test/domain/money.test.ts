import { describe, expect, it } from 'vitest';
import { larger, minus, parseRupiah, plus, rupiah, sum } from '../../src/domain/money.ts';

const most = Number.MAX_SAFE_INTEGER;

describe('rupiah', () => {
  it.each([0, 1, -1, most, -most])('takes %d', (value) => {
    expect(parseRupiah(value)).toBe(value);
  });

  it.each([0.5, most + 1, Number.NaN, Number.POSITIVE_INFINITY, true, '5', null, 5n])(
    'refuses %s',
    (value) => {
      expect(parseRupiah(value)).toBeNull();
    },
  );

  it('knows no minus zero', () => {
    expect(Object.is(parseRupiah(-0), 0)).toBe(true);
  });

  it('counts exactly', () => {
    expect(plus(rupiah(2), rupiah(3))).toBe(5);
    expect(minus(rupiah(2), rupiah(3))).toBe(-1);
    expect(sum([rupiah(1), rupiah(2), rupiah(3)])).toBe(6);
    expect(sum([])).toBe(0);
    expect(larger(rupiah(2), rupiah(3))).toBe(3);
    expect(larger(rupiah(3), rupiah(2))).toBe(3);
  });

  it('refuses what it cannot keep exactly, and never rounds', () => {
    expect(() => plus(rupiah(most), rupiah(1))).toThrow(RangeError);
    expect(() => minus(rupiah(-most), rupiah(1))).toThrow(RangeError);
    expect(() => rupiah(0.1)).toThrow(RangeError);
  });
});
