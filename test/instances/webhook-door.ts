import { createServer } from 'node:http';
import { z } from 'zod';
import type { Acknowledged } from './evidence.ts';

const eventSchema = z.object({
  event: z.string(),
  data: z.object({ order_id: z.int(), sms_revision: z.int().nullish() }),
});

export interface WebhookDoor {
  readonly url: string;
  /** Messages whose webhook an instance has answered 2xx. */
  readonly acknowledged: readonly Acknowledged[];
  close(): Promise<void>;
}

/** Stands in front of the instances, as a load balancer: an instance that does not answer is passed by for the next. */
export async function openWebhookDoor(
  inTurn: () => readonly string[],
  isSentTwice: () => boolean,
): Promise<WebhookDoor> {
  const acknowledged: Acknowledged[] = [];

  async function post(url: string, body: Buffer, signature: string): Promise<number | null> {
    try {
      const response = await fetch(`${url}/webhooks/smscode`, {
        method: 'POST',
        signal: AbortSignal.timeout(2_000),
        headers: { 'x-webhook-signature': signature },
        body: new Uint8Array(body),
      });
      await response.arrayBuffer();
      if (response.ok) note(body);
      return response.status;
    } catch {
      return null;
    }
  }

  function note(body: Buffer): void {
    const { event, data } = eventSchema.parse(JSON.parse(body.toString()));
    if (event !== 'order.otp_received' || data.sms_revision == null) return;
    acknowledged.push({ orderId: data.order_id, revision: data.sms_revision, at: Date.now() });
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const signature = String(request.headers['x-webhook-signature']);
    let status: number | null = null;
    for (const url of inTurn()) {
      if (isSentTwice()) void post(url, body, signature);
      status = await post(url, body, signature);
      if (status !== null) break;
    }
    response.writeHead(status ?? 502).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the door has no port');
  return {
    url: `http://127.0.0.1:${address.port}/webhooks/smscode`,
    acknowledged,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
