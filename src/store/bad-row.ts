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
  return new ReaderOfRow(table, id);
}

/** A class, as there is one for each row that is read. */
class ReaderOfRow implements RowReader {
  readonly #table: string;
  readonly #id: string | number;

  constructor(table: string, id: string | number) {
    this.#table = table;
    this.#id = id;
  }

  sure<Value>(value: Value | null): Value {
    if (value === null) throw new BadRow(this.#table, this.#id);
    return value;
  }

  maybe<Raw, Value>(raw: Raw | null, parse: (raw: Raw) => Value | null): Value | null {
    return raw === null ? null : this.sure(parse(raw));
  }

  oneOf<Value extends string>(raw: string, values: readonly Value[]): Value {
    for (const value of values) if (value === raw) return value;
    throw new BadRow(this.#table, this.#id);
  }

  maybeOneOf<Value extends string>(raw: string | null, values: readonly Value[]): Value | null {
    return raw === null ? null : this.oneOf(raw, values);
  }

  instant(raw: number): Instant {
    try {
      return instant(raw);
    } catch {
      throw new BadRow(this.#table, this.#id);
    }
  }

  maybeInstant(raw: number | null): Instant | null {
    return raw === null ? null : this.instant(raw);
  }
}
