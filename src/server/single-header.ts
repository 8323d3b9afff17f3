import type { IncomingMessage } from 'node:http';

/**
 * A header that must be there once: null where there is none, or several, for which would count? `name` in lower case.
 * Of two, `headers` tells the first alone; `headersDistinct` sorts all headers into lists for the sake of one.
 */
export function singleHeader({ rawHeaders }: IncomingMessage, name: string): string | null {
  let found: string | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length !== name.length || given.toLowerCase() !== name) continue;
    if (found !== null) return null;
    found = rawHeaders[at + 1] ?? null;
  }
  return found;
}
