import { randomBytes, randomFillSync } from 'node:crypto';
import type { Random } from './ports/random.ts';

const TOKEN_BYTES = 24;

/** Each request has a token: drawn by the hundred, one costs a tenth of a call for itself. */
const pool = Buffer.alloc(TOKEN_BYTES * 128);
let used = pool.length;

function token(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const text = pool.toString('base64url', used, used + TOKEN_BYTES);
  // Whoever sees the memory later sees no token in it.
  pool.fill(0, used, used + TOKEN_BYTES);
  used += TOKEN_BYTES;
  return text;
}

/** Chance from the operating system. */
export const systemRandom: Random = {
  token,
  unit: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
