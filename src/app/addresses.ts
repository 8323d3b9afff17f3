import { isIPv6 } from 'node:net';

/** Where a server that listens on `host` is reached from this machine. */
export function localOrigin(host: string, port: number): string {
  return `http://${shownHost(reachableHost(host))}:${port}`;
}

/** "Every address" is none to connect to. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function shownHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
