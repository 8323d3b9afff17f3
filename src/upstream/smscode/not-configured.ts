import type { NumbersApi } from '../../ports/numbers-api.ts';

const off = () => Promise.resolve({ kind: 'not-configured' } as const);

/** The buyer side without its token. */
export const notConfigured: NumbersApi = {
  products: off,
  countries: off,
  services: off,
  operators: off,
  exchangeRate: off,
  balance: off,
  order: off,
  activeOrders: off,
  orders: off,
  // No attempt may be claimed for a side that is off: it would wear out its sends without a byte having left.
  sendPaid: () => Promise.reject(new Error('a paid request was sent to an upstream that is not configured')),
  cancel: off,
  finish: off,
  resend: off,
  reactivationQuote: off,
  webhook: off,
  setWebhookUrl: off,
  testWebhook: off,
};
