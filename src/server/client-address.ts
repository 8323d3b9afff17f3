import type { IncomingMessage } from 'node:http';

export interface AddressSet {
  includes(address: string): boolean;
}

/** Whose X-Forwarded-For is believed: that of so many proxies in front, or of proxies at these addresses. */
export type TrustedProxies =
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'addresses'; readonly addresses: AddressSet };

const loopback = /^(?:::ffff:)?127\.|^::1$/;

/**
 * Where a request came from. X-Forwarded-For is read from its end, where the nearest proxy wrote, and only as far as
 * the writers are trusted: what stands before that is anybody's claim.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies | undefined): string {
  const remote = request.socket.remoteAddress ?? '';
  if (trusted === undefined) return remote;
  const chain = [...forwardedFor(request), remote];
  let at = chain.length - 1;
  let hops = trusted.kind === 'hops' ? trusted.hops : Number.POSITIVE_INFINITY;
  while (at > 0 && hops > 0) {
    if (trusted.kind === 'addresses' && !trusted.addresses.includes(chain[at] ?? '')) break;
    at -= 1;
    hops -= 1;
  }
  return chain[at] ?? remote;
}

/** Of this machine, spoken to as this machine, and not for somebody else by way of a proxy here. */
export function isLocal(request: IncomingMessage): boolean {
  if (!loopback.test(request.socket.remoteAddress ?? '')) return false;
  if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined)
    return false;
  // A page elsewhere may have its own name lead here (DNS rebinding): the name that was asked for gives it away.
  return isLoopbackName((request.headers.host ?? '').replace(/:\d+$/, ''));
}

/** Of a host without its port. */
function isLoopbackName(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function forwardedFor(request: IncomingMessage): readonly string[] {
  const header = request.headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .replace(/^\[(.*)\](?::\d+)?$/, '$1')
        .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1'),
    )
    .filter((entry) => entry !== '');
}
