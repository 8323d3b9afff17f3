import { isRecord } from '../graph/fault.ts';

export type Steered =
  | { readonly kind: 'done'; readonly answer: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly message: string };

/** Makes something happen in the simulated providers. The gateway passes on these few, in sandbox mode alone. */
export async function steer(
  key: string,
  what: 'sms' | 'expire' | 'faults' | 'supplier-orders',
  body: Readonly<Record<string, unknown>>,
): Promise<Steered> {
  try {
    const response = await fetch(`/console/sandbox/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const read: unknown = await response.json();
    const answer = isRecord(read) ? read : {};
    if (response.ok) return { kind: 'done', answer };
    return { kind: 'refused', message: String(answer['message'] ?? answer['error'] ?? response.status) };
  } catch {
    return { kind: 'refused', message: '–' };
  }
}

const create = { side: 'buyer', method: 'POST', path: '/v1/orders/create' };
const sms = { event: 'order.otp_received' };
const deliver = { side: 'supplier', method: 'POST', path: '/api/admin/v2/orders-update' };

/** Faults worth seeing, each of the next call that it fits. */
export const faults = {
  lostAnswer: { kind: 'reset_after', match: create },
  brokenAnswer: { kind: 'half_body', match: create },
  gatewayError: { kind: 'html_502', match: create },
  slow: { kind: 'delay', ms: 5_000, match: create },
  lostWebhook: { kind: 'webhook_drop', match: sms },
  doubleWebhook: { kind: 'webhook_duplicate', match: sms },
  lostDelivery: { kind: 'reset_after', match: deliver },
} as const;

export type FaultName = keyof typeof faults;
export const faultNames = [
  'lostAnswer',
  'brokenAnswer',
  'gatewayError',
  'slow',
  'lostWebhook',
  'doubleWebhook',
  'lostDelivery',
] as const satisfies readonly FaultName[];
