import type { Exchange } from './exchange.ts';

const PREFLIGHT_MAX_AGE = '600';
const ALLOWED_HEADERS = 'authorization, content-type, accept, x-request-id, last-event-id';
const EXPOSED_HEADERS = 'x-request-id, retry-after';

/**
 * What lets a page of a listed origin read the answer. No origin is ever reflected that is not listed word for word, and
 * cookies are never allowed: a key in a header is the only way in.
 */
export function corsHeaders(exchange: Exchange, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  const { origin } = exchange.request.headers;
  if (origin === undefined || !allowed.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    // The edge forbids other sites' pages to load its answers; this one is allowed.
    'cross-origin-resource-policy': 'cross-origin',
  };
}

export function preflightHeaders(exchange: Exchange, allowed: readonly string[]): Record<string, string> {
  const headers = corsHeaders(exchange, allowed);
  if (headers['access-control-allow-origin'] === undefined) return headers;
  return {
    ...headers,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': PREFLIGHT_MAX_AGE,
  };
}
