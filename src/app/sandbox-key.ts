import { readFileSync, writeFileSync } from 'node:fs';
import { isGatewayKey, makeGatewayKey } from '../server/gateway-key.ts';

/**
 * The ready key of sandbox mode: made once and kept in a file for its owner alone, in a directory that is there, so that a restart does not end what a
 * person has set up with it. Never in the database: no database that was tried in a sandbox lets anybody in later.
 *
 * @throws Error of the system's when the file cannot be read or made.
 */
export function readySandboxKey(file: string): string {
  const known = read(file);
  if (known !== null && isGatewayKey(known)) return known;
  const key = makeGatewayKey();
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
