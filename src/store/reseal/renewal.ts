import type { Cipher } from '../../ports/cipher.ts';
import { sealedInBody, sealedInText, writtenBody, writtenText } from '../sealed-form.ts';

/** Kept values as the newest key seals them. What it has sealed already, and what is blank or erased, stays as it is. */
export interface Renewal {
  /** Of a column of texts, in their stored form (stored-text.ts); `place` says where equal ones are sealed alike (sealed-form.ts). */
  text(kept: string, place: string): string;
  /** Of a webhook. */
  body(kept: Uint8Array): Uint8Array;
  /** Of what is sealed without a mark: the requests of deliveries. */
  bare(kept: Uint8Array): Uint8Array;
}

export function createRenewal(cipher: Cipher): Renewal {
  return {
    text(kept, place) {
      if (kept.trim() === '') return kept;
      const sealed = sealedInText(kept);
      if (sealed !== null && cipher.isCurrent(sealed)) return kept;
      return writtenText(cipher.sealAlike(sealed === null ? kept : cipher.open(sealed), place));
    },
    body(kept) {
      const sealed = sealedInBody(kept);
      if (sealed !== null && cipher.isCurrent(sealed)) return kept;
      return writtenBody(cipher.seal(sealed === null ? kept : cipher.openBytes(sealed)));
    },
    bare(kept) {
      return kept.length === 0 || cipher.isCurrent(kept) ? kept : cipher.seal(cipher.openBytes(kept));
    },
  };
}
