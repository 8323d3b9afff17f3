import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface RawRequest {
  readonly head: string;
  readonly body: string;
  /** Counts all requests of the server from 1. */
  readonly number: number;
}

export interface RawServer {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly RawRequest[];
  readonly connections: () => number;
  /** Resolves when the client has closed every connection made so far. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** A server that speaks bytes: it knows where a request ends, and leaves every answer to the test. */
export async function rawServer(
  answer: (socket: Socket, request: RawRequest) => void,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    onConnection(socket);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (;;) {
        const headEnd = received.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const head = received.slice(0, headEnd);
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        if (received.length < headEnd + 4 + length) return;
        const body = received.slice(headEnd + 4, headEnd + 4 + length);
        received = received.slice(headEnd + 4 + length);
        const request = { head, body, number: requests.length + 1 };
        requests.push(request);
        answer(socket, request);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    async allClosed() {
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
    },
    async close() {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A whole answer with its length, on a connection that stays open. */
export function whole(status: number, body: string | Uint8Array, ...headers: string[]): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} Some Words`, `Content-Length: ${bytes.length}`, ...headers, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes]);
}
