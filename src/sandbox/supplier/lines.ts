/**
 * What the supplier API does to delivered lines without a word, in its own order: split, drop repeats, cut.
 * Pure, so that properties can be run against it.
 */

/**
 * Rule 1: each element is split at LF or CRLF, space around (as `String.trim` sees it) and blank lines fall away.
 * What is no array holds no lines, and an element that is no text is none: the provider answers both like an
 * empty batch (INVALID_ACCOUNTS).
 */
export function splitLines(accounts: unknown): string[] {
  if (!Array.isArray(accounts)) return [];
  const lines: string[] = [];
  for (const element of accounts) {
    if (typeof element !== 'string') continue;
    for (const part of element.split(/\r?\n/)) {
      const line = part.trim();
      if (line !== '') lines.push(line);
    }
  }
  return lines;
}

/**
 * What makes two lines the same: the whole line in lower case by Unicode's default mapping, whatever the locale,
 * with no normalisation. So `STRASSE` and `straße` differ, `É` and `é` do not, and composed and decomposed accents do.
 */
export function foldLine(line: string): string {
  return line.toLowerCase();
}

/**
 * Rules 2 and 3: repeats within the batch and of what is stored (`folded`) fall away, then what exceeds `room`.
 * The order matters: a repeat never takes the place of a fresh line.
 */
export function freshLines(split: readonly string[], folded: ReadonlySet<string>, room: number): string[] {
  const seen = new Set<string>();
  const fresh: string[] = [];
  for (const line of split) {
    const fold = foldLine(line);
    if (folded.has(fold) || seen.has(fold)) continue;
    seen.add(fold);
    fresh.push(line);
  }
  return fresh.slice(0, Math.max(0, room));
}
