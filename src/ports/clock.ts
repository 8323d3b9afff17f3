import type { Instant } from '../domain/time.ts';

/** The process's own time. What concerns money goes by the store's clock instead (`Store.now`). */
export interface Clock {
  now(): Instant;
  /** Resolves after so many milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after so many milliseconds; returns what cancels it. Does not keep the process alive. */
  after(milliseconds: number, callback: () => void): () => void;
}
