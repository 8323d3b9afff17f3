import { createServer, connect as dial, type Socket } from 'node:net';

export interface SwitchedProxy {
  readonly url: string;
  /** Ends all connections and lets none in. */
  off(): void;
  on(): void;
  /** The addresses that the server behind sees: of this proxy's connections and of no others. */
  dialledFrom(): readonly string[];
  close(): Promise<void>;
}

/** Stands between a client and a server that is not to be stopped. */
export async function switchedProxy(serverUrl: string): Promise<SwitchedProxy> {
  const target = new URL(serverUrl);
  const upstreams = new Set<Socket>();
  const clients = new Set<Socket>();
  let isOff = false;
  const server = createServer((client) => {
    if (isOff) {
      client.destroy();
      return;
    }
    const upstream = dial(Number(target.port || 6379), target.hostname);
    clients.add(client);
    upstreams.add(upstream);
    const end = (): void => {
      clients.delete(client);
      upstreams.delete(upstream);
      client.destroy();
      upstream.destroy();
    };
    client.on('error', () => undefined).on('close', end);
    upstream.on('error', () => undefined).on('close', end);
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  const endAll = (): void => {
    for (const client of [...clients]) client.destroy();
  };
  return {
    url: url.href,
    off() {
      isOff = true;
      endAll();
    },
    on() {
      isOff = false;
    },
    dialledFrom: () => [...upstreams].map(({ localAddress, localPort }) => `${localAddress}:${localPort}`),
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
