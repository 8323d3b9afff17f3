import { createServer, connect as dial, type Socket } from 'node:net';

/** Where the next COMMIT that passes is cut: before the server sees it, or before its answer comes back. */
export type Cut = 'before' | 'after';

export interface CuttingProxy {
  /** The server's address, through the proxy. */
  readonly url: string;
  cutNextCommit(where: Cut): void;
  /** How many were cut. */
  cuts(): number;
  close(): Promise<void>;
}

/** How long the server is given to commit what its client will not hear of. */
const COMMITTED_AFTER = 100;

/** Stands between a store and its server, and ends a connection in the middle of a COMMIT. */
export async function cuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let next: Cut | null = null;
  let cuts = 0;

  const server = createServer((client) => {
    const upstream = dial(Number(target.port || 5432), target.hostname);
    let isMute = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.on('data', (bytes: Buffer) => {
      const cut = bytes.includes('commit') ? next : null;
      if (cut !== null) {
        next = null;
        cuts += 1;
        if (cut === 'before') {
          client.destroy();
          return;
        }
        isMute = true;
        setTimeout(() => client.destroy(), COMMITTED_AFTER);
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!isMute) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    cutNextCommit(where) {
      next = where;
    },
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
