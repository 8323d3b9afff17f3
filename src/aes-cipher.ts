import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import type { Cipher } from './ports/cipher.ts';

/** Of what is sealed: a byte for the format, which key, the nonce, the tag, then the content. */
const FORMAT = 1;
const KEY_NAME_BYTES = 4;
/** What GCM is made for; random ones are safe for some billions of messages under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_NAME_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const HEAD_BYTES = TAG_AT + TAG_BYTES;
/** A byte for the format, then the content as it is. */
const PLAIN = 0;
/** Nonces drawn at once: a draw costs as much as sealing a short text. */
const DRAWN_NONCES = 256;

interface NamedKey {
  readonly key: KeyObject;
  readonly name: Buffer;
  /** What nonces are made from where texts are sealed alike. */
  readonly nonceKey: KeyObject;
}

/** AES-256-GCM. Seals with the first key and opens with any: the way to change keys is to put a new one in front. */
export function createAesCipher(keys: readonly KeyObject[]): Cipher {
  const [newest, ...older] = keys.map(named);
  if (newest === undefined) throw new Error('a cipher needs at least one key');
  const nonces = createNonces();

  function openBytes(sealed: Uint8Array): Uint8Array {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes[0] === PLAIN) return bytes.subarray(1);
    if (bytes.length < HEAD_BYTES || bytes[0] !== FORMAT)
      throw new Error('what is kept sealed has no known form');
    const found = [newest, ...older].find((candidate) => candidate?.name.equals(bytes.subarray(1, NONCE_AT)));
    if (found === undefined)
      throw new Error('what is kept sealed was sealed with a key that is not among ENCRYPTION_KEY');
    const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(NONCE_AT, TAG_AT));
    decipher.setAuthTag(bytes.subarray(TAG_AT, HEAD_BYTES));
    const content = decipher.update(bytes.subarray(HEAD_BYTES));
    // Throws where the tag does not fit; of GCM nothing is left over.
    decipher.final();
    return content;
  }

  return {
    seal: (content) => sealed(newest, nonces(), content),
    open: (bytes) => Buffer.from(openBytes(bytes)).toString('utf8'),
    openBytes,
    isCurrent: (sealed) => sealed[0] === FORMAT && newest.name.equals(sealed.subarray(1, NONCE_AT)),
    sealAlike: (text, place) => alike(newest, text, place),
    formsOf: (text, place) => [
      alike(newest, text, place),
      ...older.map((key) => alike(key, text, place)),
      plain(text),
    ],
  };
}

/** Each is given out once: two texts under one nonce would tell their difference, and the key that signs. */
function createNonces(): () => Uint8Array {
  const drawn = Buffer.alloc(DRAWN_NONCES * NONCE_BYTES);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += NONCE_BYTES;
    return drawn.subarray(used - NONCE_BYTES, used);
  };
}

/** The nonce is made from the text itself (as in AES-SIV): two texts never share one, equal texts do. */
function alike(key: NamedKey, text: string, place: string): Uint8Array {
  const mac = createHmac('sha256', key.nonceKey).update(`${place}\0${text}`, 'utf8').digest();
  return sealed(key, mac.subarray(0, NONCE_BYTES), text);
}

/**
 * Hides nothing: for a database that several machines share while nobody has given them a key in common. What each would
 * seal with a key of its own the others could not read.
 */
export function createPlainCipher(): Cipher {
  const openBytes = (bytes: Uint8Array): Uint8Array => {
    if (bytes[0] !== PLAIN) throw new Error('what is kept sealed takes an ENCRYPTION_KEY, and none is set');
    return bytes.subarray(1);
  };
  return {
    seal: plain,
    open: (bytes) => Buffer.from(openBytes(bytes)).toString('utf8'),
    openBytes,
    isCurrent: (bytes) => bytes[0] === PLAIN,
    sealAlike: plain,
    formsOf: (text) => [plain(text)],
  };
}

function plain(content: string | Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.of(PLAIN),
    typeof content === 'string' ? Buffer.from(content, 'utf8') : content,
  ]);
}

function sealed(key: NamedKey, nonce: Uint8Array, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce);
  const body = cipher.update(bytes);
  // Of GCM nothing is left over; it makes the tag.
  cipher.final();
  const whole = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  whole[0] = FORMAT;
  key.name.copy(whole, 1);
  whole.set(nonce, NONCE_AT);
  cipher.getAuthTag().copy(whole, TAG_AT);
  body.copy(whole, HEAD_BYTES);
  return whole;
}

function named(key: KeyObject): NamedKey {
  const derived = (purpose: string): Buffer =>
    createHash('sha256').update(purpose).update(key.export()).digest();
  return {
    key,
    // Which key it was, without telling anything of it.
    name: derived('switchboard key name').subarray(0, KEY_NAME_BYTES),
    nonceKey: createSecretKey(createHmac('sha256', key).update('switchboard nonces').digest()),
  };
}
