import { createHmac } from 'node:crypto';
import { smsEvent } from './data.ts';
import { postBytes } from './http-load.ts';

export const SECRET = 'bench-secret';

/** A webhook as the provider sends it, ready for the wire. */
export function signedEvent(orderId: number, revision: number): Buffer {
  const body = smsEvent(orderId, revision);
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  return postBytes('/webhooks/smscode', body, {
    'content-type': 'application/json',
    'x-webhook-signature': `sha256=${signature}`,
  });
}
