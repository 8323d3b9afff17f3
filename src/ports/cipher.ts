/** Keeps secrets unreadable at rest. */
export interface Cipher {
  seal(text: string): Uint8Array;
  /** @throws Error when the bytes were not sealed with a key that is known here, or were changed. */
  open(sealed: Uint8Array): string;
}
