/** Chance, injected so that tests are exact. */
export interface Random {
  /** At least 128 bits that nobody guesses, as `A-Z a-z 0-9 _ -`: claim tokens, ids, idempotency keys. */
  token(): string;
  /** From 0 up to 1: jitter. */
  unit(): number;
}
