/** In characters: thousands of long texts would fill the memory, and a webhook may have 256 KiB. */
const LONGEST_KEY = 4 * 1024;

/** The last so many texts that were put in, by key. What is asked for is moments old: first in, first out is enough. */
export interface Recent {
  get(key: string): string | undefined;
  /** Nothing under a long key, which stands for a long text. */
  put(key: string, text: string): void;
}

export function createRecent(most: number): Recent {
  const kept = new Map<string, string>();
  return {
    get: (key) => kept.get(key),
    put(key, text) {
      if (key.length > LONGEST_KEY) return;
      kept.set(key, text);
      if (kept.size <= most) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        return;
      }
    },
  };
}
