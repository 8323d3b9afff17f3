/** Callers that ask for the same thing while it is being fetched share the one fetch. A failure is shared, too, and not kept. */
export function createSingleFlight<Key, Value>(): (key: Key, fetch: () => Promise<Value>) => Promise<Value> {
  const underway = new Map<Key, Promise<Value>>();
  return (key, fetch) => {
    const running = underway.get(key);
    if (running !== undefined) return running;
    const started = fetch().finally(() => underway.delete(key));
    underway.set(key, started);
    return started;
  };
}
