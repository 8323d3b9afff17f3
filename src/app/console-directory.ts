import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the build puts the console: beside the program, or in dist/ when that runs from its sources. */
export function consoleDirectory(): string {
  const beside = fileURLToPath(new URL('../console', import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../dist/console', import.meta.url));
}
