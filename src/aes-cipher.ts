import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { Cipher } from './ports/cipher.ts';

/** Of what is sealed: a byte for the format, which key, the nonce, the tag, then the text. */
const FORMAT = 1;
const KEY_NAME_BYTES = 4;
/** What GCM is made for; random ones are safe for some billions of messages under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_NAME_BYTES + NONCE_BYTES + TAG_BYTES;

/** AES-256-GCM. Seals with the first key and opens with any: the way to change keys is to put a new one in front. */
export function createAesCipher(keys: readonly KeyObject[]): Cipher {
  const named = keys.map((key) => ({ key, name: nameOf(key) }));
  const newest = named[0];
  if (newest === undefined) throw new Error('a cipher needs at least one key');
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(FORMAT), newest.name, nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.length < HEAD_BYTES || bytes[0] !== FORMAT)
        throw new Error('what is kept sealed has no known form');
      const name = bytes.subarray(1, 1 + KEY_NAME_BYTES);
      const found = named.find((candidate) => candidate.name.equals(name));
      if (found === undefined)
        throw new Error('what is kept sealed was sealed with a key that is not among ENCRYPTION_KEY');
      const nonceEnd = 1 + KEY_NAME_BYTES + NONCE_BYTES;
      const decipher = createDecipheriv(
        'aes-256-gcm',
        found.key,
        bytes.subarray(1 + KEY_NAME_BYTES, nonceEnd),
      );
      decipher.setAuthTag(bytes.subarray(nonceEnd, HEAD_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

/** Which key it was, without telling anything of it. */
function nameOf(key: KeyObject): Buffer {
  return createHash('sha256')
    .update('switchboard key name')
    .update(key.export())
    .digest()
    .subarray(0, KEY_NAME_BYTES);
}
