/** What stands at a place in an answer; undefined where there is none such. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** The `id` of each node of a page. */
export function idsAt(value: unknown, ...path: readonly (string | number)[]): unknown[] {
  const nodes = dig(value, ...path, 'nodes');
  if (!Array.isArray(nodes)) throw new Error('the test expected nodes');
  return nodes.map((node) => dig(node, 'id'));
}
