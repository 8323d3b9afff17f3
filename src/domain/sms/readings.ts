/** `plain` is what most codes look like; `doubtful` has to stand near its cue, `unlikely` right after it. */
export type Shape = 'plain' | 'doubtful' | 'unlikely';

/** What a number would be as a code. */
export interface Reading {
  /** What one would type; null for a date, a time, an amount, a phone number. */
  readonly code: string | null;
  readonly shape: Shape;
}

const NO_CODE: Reading = { code: null, shape: 'doubtful' };

const DIGITS = /^\d+$/;
const YEAR = /^(?:19|20)\d\d$/;
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]{4,10}$/;
// A number with its unit (30min, 9h30, 30GB), a masked ending (xx4821), a word with a number (iPhone15, SAVE20).
const NAMED = /^(?:\d+[a-z]+|\d+[Hh]\d+|\d+[KMGT]B?|[Xx]+\d+|[A-Za-z]{4,}\d{1,2}|.*[a-z]{4}.*)$/;

/** Four consonants in a row: hardly a word, yet a code now and then. */
export const UNSPEAKABLE: RegExp = /^(?=.*[B-DF-HJ-NP-TV-XZ]{4})[A-Z]{5,8}$/;

/** One run of letters and digits. */
function readRun(run: string): Reading {
  if (DIGITS.test(run)) {
    if (run.length < 3 || run.length > 10) return NO_CODE;
    const usual = run.length >= 4 && run.length <= 8 && !YEAR.test(run);
    return { code: run, shape: usual ? 'plain' : 'doubtful' };
  }
  if (UNSPEAKABLE.test(run)) return { code: run, shape: 'unlikely' };
  return MIXED.test(run) && !NAMED.test(run) ? { code: run, shape: 'doubtful' } : NO_CODE;
}

/** "904 117", "12-34-56", "4 8 2 9 1 3": groups of one size, typed without what parts them. */
export function readGroups(groups: readonly string[], separator: string): Reading {
  const code = groups.join('');
  const size = groups[0]?.length ?? 0;
  if (code.length < 4 || code.length > 9) return NO_CODE;
  if (groups.some((group) => group.length !== size)) return NO_CODE;
  // 12.50 is an amount; 123.456 may be one, 12-05-25 a date, 10-12 a span, nine digits a phone number.
  if (separator === '.' && groups.length === 2 && size < 3) return NO_CODE;
  const doubtful = separator === '.' || code.length > 8 || (size === 2 && separator !== ' ');
  return { code, shape: doubtful ? 'doubtful' : 'plain' };
}

/** Runs with one character between each two. */
export function readChain(parts: readonly string[], separators: string): Reading {
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return readRun(first);
  if (/[,:/]/.test(separators) || new Set(separators).size > 1) return NO_CODE;
  if (parts.every((part) => DIGITS.test(part))) return readGroups(parts, separators.charAt(0));
  if (separators !== '-') return NO_CODE;
  // "G-482913": the form shows the letters itself, one types the digits.
  if (/^[A-Za-z]+$/.test(first) && DIGITS.test(second)) return readRun(second);
  const code = parts.join('-');
  const fit = /^[A-Za-z\d-]{6,12}$/.test(code) && !NAMED.test(first) && !NAMED.test(second);
  return fit ? { code, shape: 'doubtful' } : NO_CODE;
}
