import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Received = {
  readonly body: string;
  readonly signature: string | undefined;
  readonly path: string | undefined;
};

/** A webhook endpoint on loopback. `answer` gives the status of the next deliveries; null: none at all. */
export async function openReceiver(answer: () => number | null = () => 200) {
  const deliveries: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const signature = request.headers['x-webhook-signature'];
      deliveries.push({
        body: Buffer.concat(parts).toString(),
        signature: typeof signature === 'string' ? signature : undefined,
        path: request.url,
      });
      const status = answer();
      if (status === null) return;
      response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {});
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    deliveries,
    /** Waits for that many in all. */
    async received(count: number): Promise<readonly Received[]> {
      for (let turn = 0; deliveries.length < count; turn++) {
        if (turn > 4000) throw new Error(`${deliveries.length} of ${count} deliveries came`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return deliveries;
    },
  };
}
