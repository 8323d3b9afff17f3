import { parseJson, type Reply } from './reply.ts';

/** A byte that UTF-8 never has, put inside the last string of the body. */
export function withBadUtf8(reply: Reply): Reply {
  const at = Math.max(reply.body.lastIndexOf(0x22), 0);
  return withBody(
    reply,
    Buffer.concat([reply.body.subarray(0, at), Uint8Array.of(0xff), reply.body.subarray(at)]),
  );
}

/** The first key of the object once more, with its value. */
export function withDuplicateKey(reply: Reply): Reply {
  const value = parseJson(reply.body);
  if (!isObject(value)) return reply;
  const first = Object.keys(value)[0];
  if (first === undefined) return reply;
  const pair = `${JSON.stringify(first)}:${JSON.stringify(value[first])}`;
  return withBody(reply, Buffer.from(`{${pair},${JSON.stringify(value).slice(1)}`));
}

/**
 * The body with `patch` merged in: objects key by key, null takes a key away, and where the body has a list, each of
 * its elements is merged with the patch. Without a patch the payload itself (`data`, `orders`) is taken away.
 */
export function withWrongShape(reply: Reply, patch: unknown = { data: null, orders: null }): Reply {
  const value = parseJson(reply.body);
  return value === undefined
    ? reply
    : withBody(reply, Buffer.from(JSON.stringify(merge(value, patch)) ?? 'null'));
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (Array.isArray(target)) return target.map((element) => merge(element, patch));
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withBody(reply: Reply, body: Uint8Array): Reply {
  return { ...reply, body };
}
