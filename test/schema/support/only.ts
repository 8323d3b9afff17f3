/** A port of which a test needs these methods alone: any other call fails the test that made it, by name. */
export function only<Port extends object>(name: string, methods: Partial<Port>): Port {
  const port = new Proxy(methods, {
    get(target, property) {
      const method: unknown = Reflect.get(target, property);
      if (method !== undefined || typeof property === 'symbol') return method;
      return () => {
        throw new Error(`the test did not expect ${name}.${property} to be called`);
      };
    },
  });
  // The proxy answers for every method that is not there.
  return port as Port;
}
