import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { MINUTE } from '../../domain/time.ts';

/** In settings, and in a file beside the database: a number that only rises. A database below its file is an older copy. */
export const TIDE_MARK = 'tide-mark';
/** What was copied that shortly before is not told from the database itself. */
export const MARKED_EVERY = MINUTE;

/** Null where there is none, or none that can be read: that proves nothing, and a gateway must start. */
export function readTideMark(file: string): number | null {
  try {
    const mark = Number(readFileSync(pathOf(file), 'utf8'));
    return Number.isSafeInteger(mark) && mark > 0 ? mark : null;
  } catch {
    return null;
  }
}

/** Only once the database holds the same, committed: the file must never be ahead of it. */
export function writeTideMark(file: string, mark: number): void {
  // Whole or not at all: half a number would be another one.
  const draft = `${pathOf(file)}.${process.pid}`;
  writeFileSync(draft, String(mark), { mode: 0o600 });
  renameSync(draft, pathOf(file));
}

/** Whatever lies in the database's place is the newest from now on. */
export function forgetTideMark(file: string): void {
  rmSync(pathOf(file), { force: true });
}

function pathOf(file: string): string {
  return `${file}.mark`;
}
