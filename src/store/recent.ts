/** The last so many things that were put in, by key. What is asked for is moments old: first in, first out is enough. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  put(key: Key, value: Value): void;
}

export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  const kept = new Map<Key, Value>();
  return {
    get: (key) => kept.get(key),
    put(key, value) {
      kept.set(key, value);
      if (kept.size <= most) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        return;
      }
    },
  };
}
