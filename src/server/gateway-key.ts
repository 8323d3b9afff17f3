import { hash, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
/** `sb_` and 32 bytes in base64url. The prefix lets scanners find keys that were committed by mistake. */
const KEY = /^sb_[A-Za-z0-9_-]{43}$/;

/** A new gateway key. Shown once; only its hash is kept. */
export function makeGatewayKey(): string {
  return `sb_${randomBytes(KEY_BYTES).toString('base64url')}`;
}

/** False for whatever no key of ours can look like: refused without asking the store. */
export function isGatewayKey(text: string): boolean {
  return KEY.test(text);
}

/** SHA-256 in hex. No salt and no slow hash: 256 random bits are not guessed. */
export function hashGatewayKey(key: string): string {
  return hash('sha256', key, 'hex');
}
