import { type Instant, instant } from '../domain/time.ts';

/** A stored row that no writer of ours makes. Names the row and never a value: what it holds may be a secret. */
export class BadRow extends Error {
  constructor(table: string, id: string | number) {
    super(`a row of ${table} cannot be read: ${id}`);
    this.name = 'BadRow';
  }
}

/** Turns a row's raw columns into domain values; each method throws BadRow where there is none. */
export interface RowReader {
  sure<Value>(value: Value | null): Value;
  maybe<Raw, Value>(raw: Raw | null, parse: (raw: Raw) => Value | null): Value | null;
  oneOf<Value extends string>(raw: string, values: readonly Value[]): Value;
  maybeOneOf<Value extends string>(raw: string | null, values: readonly Value[]): Value | null;
  instant(raw: number): Instant;
  maybeInstant(raw: number | null): Instant | null;
}

export function rowReader(table: string, id: string | number): RowReader {
  const reader: RowReader = {
    sure(value) {
      if (value === null) throw new BadRow(table, id);
      return value;
    },
    maybe: (raw, parse) => (raw === null ? null : reader.sure(parse(raw))),
    oneOf: (raw, values) => reader.sure(values.find((value) => value === raw) ?? null),
    maybeOneOf: (raw, values) => (raw === null ? null : reader.oneOf(raw, values)),
    instant(raw) {
      try {
        return instant(raw);
      } catch {
        throw new BadRow(table, id);
      }
    },
    maybeInstant: (raw) => (raw === null ? null : reader.instant(raw)),
  };
  return reader;
}
