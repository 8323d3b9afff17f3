import { createSecretKey } from 'node:crypto';
import { createAesCipher } from '../../../src/aes-cipher.ts';

/** A key that protects nothing. */
export const testCipher = createAesCipher([createSecretKey(Buffer.alloc(32, 7))]);
