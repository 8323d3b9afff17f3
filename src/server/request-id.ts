import type { IncomingMessage } from 'node:http';
import type { Random } from '../ports/random.ts';

/** The caller's X-Request-Id where it is one of ours to repeat (it ends up in logs and headers), else a new one. */
export function requestIdOf(request: IncomingMessage, random: Random): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : random.token();
}
