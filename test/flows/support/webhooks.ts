import { createHmac } from 'node:crypto';
import { type Receipt, receiveWebhook } from '../../../src/flows/sms/receive-webhook.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { SANDBOX_SECRET } from '../../support/sandbox-names.ts';

export interface Signed {
  readonly body: Uint8Array;
  readonly signature: string;
}

export function signed(body: string | Uint8Array, secret: string = SANDBOX_SECRET): Signed {
  const bytes = Buffer.from(body);
  return { body: bytes, signature: `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}` };
}

export function event(name: string, data: object, more: object = {}): string {
  return JSON.stringify({ event: name, timestamp: '2026-09-02T06:40:00Z', data, ...more });
}

/** The webhook of a message; what is said in `data` goes over it. */
export function smsEvent(order: number, revision: unknown, data: object = {}): string {
  const message = `message ${String(revision)}`;
  return event('order.otp_received', {
    order_id: order,
    otp_message: message,
    otp_code: null,
    sms_revision: revision,
    can_finish: true,
    ...data,
  });
}

export function endEvent(order: number, end: 'completed' | 'canceled' | 'expired' = 'completed'): string {
  return event(`order.${end}`, { order_id: order, sms_revision: null, can_finish: false });
}

export function deliver({ deps }: TestGateway, body: string | Uint8Array): Promise<Receipt> {
  const one = signed(body);
  return receiveWebhook(deps, one.body, one.signature);
}
