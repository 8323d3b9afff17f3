import type { Clock } from '../ports/clock.ts';
import type { Exchange } from './exchange.ts';

export interface BodyLimits {
  readonly bytes: number;
  /** From the first look to the last byte, in milliseconds: what a client that drips is cut off by. */
  readonly milliseconds: number;
}

export type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-slow' }
  /** The sender went away before the end. */
  | { readonly kind: 'gone' };

/** Reads a request's body, counting as it comes: what a Content-Length says is only believed where it refuses. */
export function readBody(exchange: Exchange, limits: BodyLimits, clock: Clock): Promise<Body> {
  const { request, response } = exchange;
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes)
    return Promise.resolve({ kind: 'too-large' });
  // Asked whether to send it at all: only now is it known that the body is wanted.
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (body: Body): void => {
      cancel();
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      request.pause();
      resolve(body);
    };
    const cancel = clock.after(limits.milliseconds, () => finish({ kind: 'too-slow' }));
    const onData = (part: Buffer): void => {
      size += part.length;
      if (size > limits.bytes) finish({ kind: 'too-large' });
      else parts.push(part);
    };
    const onEnd = (): void =>
      finish({ kind: 'read', bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts) });
    const onGone = (): void => finish({ kind: 'gone' });
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
