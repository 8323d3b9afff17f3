import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  earliest,
  earliestOf,
  formatInstant,
  instant,
  later,
  latest,
  parseInstant,
} from '../../src/domain/time.ts';

// Date.UTC would read the year 0 as 1900.
const FIRST = new Date(0).setUTCFullYear(0, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

describe('reading RFC 3339', () => {
  it.each([
    ['UTC', '2026-03-16T10:30:00Z', '2026-03-16T10:30:00.000Z'],
    ['lower case', '2026-03-16t10:30:00z', '2026-03-16T10:30:00.000Z'],
    ['a space for the T', '2026-03-16 10:30:00Z', '2026-03-16T10:30:00.000Z'],
    ['an offset ahead', '2026-03-16T10:30:00+05:30', '2026-03-16T05:00:00.000Z'],
    ['an offset behind', '2026-03-16T10:30:00-09:30', '2026-03-16T20:00:00.000Z'],
    ['an offset over the day', '2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000Z'],
    ['no offset, told as one', '2026-03-16T10:30:00+00:00', '2026-03-16T10:30:00.000Z'],
    ['an unknown offset', '2026-03-16T10:30:00-00:00', '2026-03-16T10:30:00.000Z'],
    ['a tenth', '2026-03-16T10:30:00.5Z', '2026-03-16T10:30:00.500Z'],
    ['microseconds, cut and not rounded', '2026-03-16T10:30:00.123999Z', '2026-03-16T10:30:00.123Z'],
    ['nine digits and an offset', '2026-03-16T10:30:00.000000001+01:00', '2026-03-16T09:30:00.000Z'],
    ['a leap second', '2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['a leap second elsewhere on earth', '2016-12-31T18:59:60-05:00', '2016-12-31T23:59:59.000Z'],
    ['a leap day', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['the leap day of a fourth century', '2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['the first second', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['a year below 100', '0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
    ['the last second', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s', (_, text, expected) => {
    const parsed = parseInstant(text);
    expect(parsed === null ? null : formatInstant(parsed)).toBe(expected);
  });

  it.each([
    ['no zone', '2026-03-16T10:30:00'],
    ['a date alone', '2026-03-16'],
    ['no seconds', '2026-03-16T10:30Z'],
    ['February 30th', '2026-02-30T00:00:00Z'],
    ['February 29th of a common year', '2026-02-29T00:00:00Z'],
    ['February 29th of a common century', '1900-02-29T00:00:00Z'],
    ['April 31st', '2026-04-31T00:00:00Z'],
    ['June 31st', '2026-06-31T00:00:00Z'],
    ['September 31st', '2026-09-31T00:00:00Z'],
    ['November 31st', '2026-11-31T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['second 61', '2026-01-01T00:00:61Z'],
    ['offset hour 24', '2026-01-01T00:00:00+24:00'],
    ['offset minute 60', '2026-01-01T00:00:00+00:60'],
    ['an offset without colon', '2026-01-01T00:00:00+0530'],
    ['a point without digits', '2026-01-01T00:00:00.Z'],
    ['a comma', '2026-01-01T00:00:00,5Z'],
    ['a sign before the year', '+2026-01-01T00:00:00Z'],
    ['five digits of year', '12026-01-01T00:00:00Z'],
    ['a blank at the end', '2026-01-01T00:00:00Z '],
    ['a line break at the end', '2026-01-01T00:00:00Z\n'],
    ['other digits', '２０２６-01-01T00:00:00Z'],
    ['milliseconds', '1773657000000'],
    ['nothing', ''],
    ['before the year 0, by its offset', '0000-01-01T00:00:00+00:01'],
    ['after the year 9999, by its offset', '9999-12-31T23:59:59-00:01'],
  ])('refuses %s', (_, text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('reads back every instant that it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST, max: LAST }), (milliseconds) => {
        expect(parseInstant(formatInstant(instant(milliseconds)))).toBe(milliseconds);
      }),
    );
  });

  it('finds the same instant whatever the offset it is told with', () => {
    const offset = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
    const day = 24 * 3_600_000;
    fc.assert(
      fc.property(fc.integer({ min: FIRST + day, max: LAST - day }), offset, (milliseconds, minutes) => {
        const local = new Date(milliseconds + minutes * 60_000).toISOString().replace('Z', '');
        const sign = minutes < 0 ? '-' : '+';
        const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60];
        const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
        expect(parseInstant(`${local}${sign}${two(hours)}:${two(rest)}`)).toBe(milliseconds);
      }),
    );
  });

  it('reads whatever it takes as an instant that can be written', () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(0, 1, 9998, 9999), fc.integer({ min: 0, max: 9999 })),
        fc.tuple(two(13), two(32), two(24), two(60), two(61)),
        fc.constantFrom('Z', '+23:59', '-23:59', '+05:30'),
        (year, [month, day, hour, minute, second], zone) => {
          const text = `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
          const parsed = parseInstant(text);
          if (parsed !== null) expect(parseInstant(formatInstant(parsed))).toBe(parsed);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('an instant', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, LAST + 1, FIRST - 1, 2 ** 53])(
    'is never %d',
    (milliseconds) => {
      expect(() => instant(milliseconds)).toThrow(RangeError);
    },
  );

  it('reaches from the first to the last that can be written', () => {
    expect(formatInstant(instant(FIRST))).toBe('0000-01-01T00:00:00.000Z');
    expect(formatInstant(instant(LAST))).toBe('9999-12-31T23:59:59.999Z');
  });

  it('is not moved past the last', () => {
    expect(later(instant(0), 5)).toBe(5);
    expect(() => later(instant(LAST), 1)).toThrow(RangeError);
  });

  it('compares', () => {
    expect(earliest(instant(1), instant(2))).toBe(1);
    expect(earliest(instant(2), instant(1))).toBe(1);
    expect(latest(instant(1), instant(2))).toBe(2);
    expect(latest(instant(2), instant(1))).toBe(2);
  });
});

it('has the earliest of several, and of none none', () => {
  expect(earliestOf([instant(3), instant(1), instant(2)])).toBe(instant(1));
  expect(earliestOf([])).toBeNull();
});

it('has days of 24 hours', () => {
  expect(formatInstant(later(instant(0), DAY))).toBe('1970-01-02T00:00:00.000Z');
});
