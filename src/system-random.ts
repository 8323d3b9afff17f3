import { randomBytes } from 'node:crypto';
import type { Random } from './ports/random.ts';

const TOKEN_BYTES = 24;

/** Chance from the operating system. */
export const systemRandom: Random = {
  token: () => randomBytes(TOKEN_BYTES).toString('base64url'),
  unit: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
