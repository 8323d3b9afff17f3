/** Keeps secrets unreadable at rest. Seals with the newest key, and opens what any known key has sealed. */
export interface Cipher {
  /** Never twice alike, so that a copy of the database does not tell what is equal. */
  seal(content: string | Uint8Array): Uint8Array;
  /** @throws Error when the bytes were not sealed with a key that is known here, or were changed. */
  open(sealed: Uint8Array): string;
  openBytes(sealed: Uint8Array): Uint8Array;
  /** Whether the newest key has sealed it: what has not is sealed anew before its key may go. */
  isCurrent(sealed: Uint8Array): boolean;
  /**
   * The same text in the same place, a column of one order say, is always sealed alike: it can be compared, and looked up,
   * without being opened.
   */
  sealAlike(text: string, place: string): Uint8Array;
  /** All forms in which it may be kept: one a known key, the newest first, and last what no key seals. */
  formsOf(text: string, place: string): readonly Uint8Array[];
}
