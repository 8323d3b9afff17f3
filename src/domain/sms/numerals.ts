import { type Reading, readChain, readGroups, UNSPEAKABLE } from './readings.ts';

/** A stretch of a folded message that holds digits, or could be a code all the same. */
export type Numeral = Reading & { readonly start: number; readonly end: number };

/** Runs of letters and digits, joined without a space between them: "904117", "12:30", "QRT-550912". */
interface Chain {
  readonly start: number;
  end: number;
  readonly parts: string[];
  separators: string;
}

const DIGITS = /^\d+$/;
// A name written onto its code is no part of it: "OTP482913".
const RUN = /(?:otp|pin|code)(?=\d)|[\p{Script=Latin}\d]+/giu;

function joins(last: string, gap: string, next: string): boolean {
  if (gap === '-') return /\d/.test(next);
  // "482913,5 min" is no amount: after its comma come two or three digits.
  if (gap === ',' && (next.length < 2 || next.length > 3)) return false;
  return /^[.,:/]$/.test(gap) && DIGITS.test(last) && DIGITS.test(next);
}

function chainsOf(text: string): readonly Chain[] {
  const chains: Chain[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const end = index + run.length;
    const last = chains.at(-1);
    const gap = last === undefined ? '' : text.slice(last.end, Math.min(index, last.end + 2));
    if (last !== undefined && joins(last.parts.at(-1) ?? '', gap, run)) {
      last.parts.push(run);
      last.separators += gap;
      last.end = end;
    } else chains.push({ start: index, end, parts: [run], separators: '' });
  }
  return chains.filter(({ parts }) => parts.some((part) => /\d/.test(part) || UNSPEAKABLE.test(part)));
}

const isDigitsAndDashes = ({ parts, separators }: Chain): boolean =>
  /^-*$/.test(separators) && parts.every((part) => DIGITS.test(part));

const isInternational = (text: string, chain: Chain): boolean => text[chain.start - 1] === '+';

/** Chains of digits with nothing but a space, or an international number's brackets, between them stand in one row. */
function rowsOf(text: string, chains: readonly Chain[]): readonly (readonly [Chain, ...Chain[]])[] {
  const rows: [Chain, ...Chain[]][] = [];
  for (const chain of chains) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const gap = last === undefined ? '' : text.slice(last.end, Math.min(chain.start, last.end + 3));
    const meets = row !== undefined && (isInternational(text, row[0]) ? /^[ ().-]{1,2}$/ : /^ $/).test(gap);
    if (meets && last !== undefined && isDigitsAndDashes(last) && isDigitsAndDashes(chain)) row.push(chain);
    else rows.push([chain]);
  }
  return rows;
}

function readRow(text: string, row: readonly [Chain, ...Chain[]]): readonly Numeral[] {
  const [first] = row;
  const alone = row.map(({ start, end, parts, separators }) => ({
    start,
    end,
    ...readChain(parts, separators),
  }));
  if (row.length === 1) return alone;
  const groups = row.flatMap(({ parts }) => parts);
  const whole = { start: first.start, end: row.at(-1)?.end ?? first.end, ...readGroups(groups, ' ') };
  // Nine digits and more in short groups are a phone number; fewer, of unlike sizes, are numbers that merely meet.
  const short = groups.every((group) => group.length <= 5);
  const phone = isInternational(text, first) || (short && groups.join('').length >= 9);
  return phone || whole.code !== null ? [whole] : alone;
}

/** Every number of the folded text, in order, with what it would be as a code. */
export function findNumerals(text: string): readonly Numeral[] {
  return rowsOf(text, chainsOf(text)).flatMap((row) => readRow(text, row));
}
