import type { Brand } from './brand.ts';

/** Milliseconds since 1970 UTC. */
export type Instant = Brand<number, 'Instant'>;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What RFC 3339's four-digit year can say: from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z. */
const FIRST_INSTANT = -62_167_219_200_000;
const LAST_INSTANT = 253_402_300_799_999;

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** @throws RangeError for anything that is no whole millisecond of the years 0 to 9999. */
export function instant(milliseconds: number): Instant {
  if (!Number.isSafeInteger(milliseconds) || !canBeWritten(milliseconds)) {
    throw new RangeError('an instant must be a whole number of milliseconds');
  }
  return milliseconds as Instant;
}

/**
 * RFC 3339 with any offset and fraction (digits past the millisecond are cut). Null for anything else: a time
 * without a zone, a date alone, February 30th. A leap second is read as the second before it ends.
 */
export function parseInstant(text: string): Instant | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(match[i]));
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || second === undefined) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return null;
  const fraction = Number(`${match[7] ?? ''}000`.slice(0, 3));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, Math.min(second, 59), fraction);
  const offset = (offsetHours * 60 + offsetMinutes) * MINUTE * (match[8] === '-' ? -1 : 1);
  const milliseconds = date.getTime() - offset;
  return canBeWritten(milliseconds) ? (milliseconds as Instant) : null;
}

/** RFC 3339 in UTC with milliseconds: 2026-03-16T10:30:00.000Z. */
export function formatInstant(at: Instant): string {
  return new Date(at).toISOString();
}

/** @throws RangeError outside of the years 0 to 9999. */
export function later(at: Instant, milliseconds: number): Instant {
  return instant(at + milliseconds);
}

export function earliest(a: Instant, b: Instant): Instant {
  return a <= b ? a : b;
}

/** Null of none. */
export function earliestOf(instants: readonly Instant[]): Instant | null {
  return instants.length === 0 ? null : instants.reduce(earliest);
}

export function latest(a: Instant, b: Instant): Instant {
  return a >= b ? a : b;
}

function canBeWritten(milliseconds: number): boolean {
  return milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
