import { connect, createServer, type Socket } from 'node:net';

/** A wire between the browser and the gateway that can be cut and joined again. */
export interface Cord {
  readonly url: string;
  /** Cuts what is open, and refuses what comes. */
  cut(): void;
  join(): void;
  close(): Promise<void>;
}

export function layCord(gatewayPort: number): Promise<Cord> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(gatewayPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const destroyAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the cord has no port'));
      resolve({
        url: `http://127.0.0.1:${address.port}`,
        cut() {
          isCut = true;
          destroyAll();
        },
        join() {
          isCut = false;
        },
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            destroyAll();
          }),
      });
    });
  });
}
