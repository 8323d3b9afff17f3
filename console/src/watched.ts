/** A value that changes, as React's useSyncExternalStore reads it. */
export interface Watched<Value> {
  get(): Value;
  subscribe(listener: () => void): () => void;
}

export function createWatched<Value>(first: Value): Watched<Value> & { set(value: Value): void } {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
