/**
 * The known name that an unknown one was probably meant to be, or undefined. Short names are left alone: HOME is two
 * letters from HOST, and warnings that are usually wrong are not read.
 */
export function meantName(unknown: string, known: readonly string[]): string | undefined {
  const upper = unknown.toUpperCase();
  return known.find((name) => {
    const allowed = name.length >= 10 ? 2 : name.length >= 7 ? 1 : 0;
    return editDistance(upper, name, allowed) <= allowed;
  });
}

/** Letters to insert, drop or change (Levenshtein); beyond `most` only that it is more. */
function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...right].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
