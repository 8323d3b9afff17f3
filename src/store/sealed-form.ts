/** What no plain text of old begins with; what does was sealed. */
const MARK = 'sealed:';
const MARK_BYTES = Buffer.from(MARK, 'ascii');

/** A sealed text as a column of texts holds it. */
export function writtenText(sealed: Uint8Array): string {
  return `${MARK}${Buffer.from(sealed).toString('base64')}`;
}

/** Null of a text from before there was sealing. */
export function sealedInText(kept: string): Uint8Array | null {
  return kept.startsWith(MARK) ? Buffer.from(kept.slice(MARK.length), 'base64') : null;
}

/** A sealed webhook as a column of bytes holds it. */
export function writtenBody(sealed: Uint8Array): Uint8Array {
  return Buffer.concat([MARK_BYTES, sealed]);
}

/** Null of a body from before there was sealing. */
export function sealedInBody(kept: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  return bytes.subarray(0, MARK.length).equals(MARK_BYTES) ? bytes.subarray(MARK.length) : null;
}

/** In one place equal texts are sealed alike. A number has one for all orders, so that it can be looked for. */
export const NUMBER_PLACE = 'number';

/** Of one order's message, or its code, of one revision. */
export function textPlace(
  what: 'message' | 'code',
  orderId: number | string,
  revision: number | string,
): string {
  return `${what} ${orderId}/${revision}`;
}
