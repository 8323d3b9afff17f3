import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it, for their owner alone. By hand: where the system takes no new entry in a directory
 * that is there (/proc), Node's own `recursive` goes round for ever.
 *
 * @throws Error of the system's.
 */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    const above = dirname(directory);
    if (code === 'ENOENT' && above !== directory && !isDirectory(above)) {
      makeDirectory(above);
      makeDirectory(directory);
    } else if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
