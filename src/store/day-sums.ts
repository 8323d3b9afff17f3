import { DAY, HOUR, type Instant } from '../domain/time.ts';
import type { Counts } from './order-contribution.ts';

/** Hours that are read one by one. `to` is not among them; null: to the last. */
interface Span {
  readonly from: number;
  readonly to: number | null;
}

const HOURS = DAY / HOUR;

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY);
}

/** The hours of a day; `to` is not among them. */
export function hoursOf(day: number): { readonly from: number; readonly to: number } {
  return { from: day * HOURS, to: (day + 1) * HOURS };
}

/** The first day none of whose hours is before this one. */
export function firstWholeDay(hour: number): number {
  return Math.ceil(hour / HOURS);
}

/** What is left to be read by the hour, from this one on, where some whole days are summed. `days` rise. */
export function spansBeside(hour: number, days: readonly number[]): readonly Span[] {
  const spans: Span[] = [];
  let from = hour;
  for (const day of days) {
    const hours = hoursOf(day);
    if (from < hours.from) spans.push({ from, to: hours.from });
    from = hours.to;
  }
  return [...spans, { from, to: null }];
}

/** One bin of a day's histogram. `longest` in milliseconds. */
export interface DayBin {
  readonly bin: number;
  /** Below zero where a time was taken away that was never counted: what an older program kept had none. */
  readonly count: number;
  readonly longest: number;
}

/**
 * A histogram as bytes, its bins rising: a row for each bin would be as many rows as there are orders. Whole numbers of
 * seven bits a byte, the lowest first, each bin as its distance from the one before.
 */
export function packBins(bins: readonly DayBin[]): Buffer {
  const bytes: number[] = [];
  const put = (value: number): void => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  let before = 0;
  for (const { bin, count, longest } of bins) {
    put(bin - before);
    put(count < 0 ? -2 * count - 1 : 2 * count);
    put(longest);
    before = bin;
  }
  return Buffer.from(bytes);
}

/** Tells each bin of what `packBins` made. Asked for hundreds of thousands of them a question: it makes no objects. */
export function eachBin(
  bytes: Uint8Array,
  tell: (bin: number, count: number, longest: number) => void,
): void {
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('a histogram is cut short');
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
  };
  let bin = 0;
  while (at < bytes.length) {
    bin += take();
    const count = take();
    tell(bin, count % 2 === 0 ? count / 2 : -(count + 1) / 2, take());
  }
}

interface Group {
  readonly owner: string;
  readonly platformId: number;
  readonly countryId: number;
  readonly operatorId: number;
  readonly productId: number;
}

interface DaySum extends Group, Counts {
  readonly day: number;
  readonly times: Buffer;
}

/** What the hours of a day come to, each group in one row. `times` by rising bins. */
export function sumsOf(
  day: number,
  counts: readonly (Group & Counts)[],
  times: readonly (Group & DayBin)[],
): readonly DaySum[] {
  const bins = new Map<string, DayBin[]>();
  for (const row of times) {
    const name = nameOf(row);
    const known = bins.get(name);
    if (known === undefined) bins.set(name, [row]);
    else known.push(row);
  }
  // A time is counted with its order: there is no group of times alone.
  return counts.map((row) => ({ ...row, day, times: packBins(bins.get(nameOf(row)) ?? []) }));
}

function nameOf({ owner, platformId, countryId, operatorId, productId }: Group): string {
  return `${platformId} ${countryId} ${operatorId} ${productId} ${owner}`;
}
