import { connect, createServer, type Socket } from 'node:net';

/** One request, byte for byte as it left the gateway. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: string;
}

export interface Tap {
  readonly port: number;
  readonly requests: readonly SentRequest[];
  /** Resolves when the next request with this beginning of its path has left, whole. */
  next(method: string, path: string): Promise<SentRequest>;
  close(): void;
}

/** Listens in on the line between gateway and upstream: what really left, be it answered or not. */
export function openTap(upstreamPort: number): Promise<Tap> {
  const requests: SentRequest[] = [];
  const sockets = new Set<Socket>();
  let waiting: ((request: SentRequest) => void)[] = [];

  const server = createServer((inner) => {
    const outer = connect(upstreamPort, '127.0.0.1');
    let heard = Buffer.alloc(0);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    inner.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      for (let found = readRequest(heard); found !== null; found = readRequest(heard)) {
        heard = heard.subarray(found.length);
        requests.push(found.request);
        for (const tell of waiting) tell(found.request);
      }
    });
  });

  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        requests,
        next: (method, path) =>
          new Promise((found) => {
            const tell = (request: SentRequest): void => {
              if (request.method !== method || !request.path.startsWith(path)) return;
              waiting = waiting.filter((other) => other !== tell);
              found(request);
            };
            waiting.push(tell);
          }),
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}

/** The first whole request in the bytes, and how long it is. */
function readRequest(bytes: Buffer): { readonly request: SentRequest; readonly length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.subarray(0, end).toString('latin1');
  const bodyLength = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const length = end + 4 + bodyLength;
  if (bytes.length < length) return null;
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? [];
  const key = /^idempotency-key: *(\S+)/im.exec(head)?.[1] ?? null;
  return { request: { method, path, key, body: bytes.subarray(end + 4, length).toString() }, length };
}
