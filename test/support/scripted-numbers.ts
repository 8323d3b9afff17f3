import type { NumbersApi } from '../../src/ports/numbers-api.ts';

/** A numbers API that does what a test says, and writes down what it was asked. */
export interface ScriptedNumbers {
  readonly numbers: NumbersApi;
  /** `order 7`, `cancel 7`, `sendPaid key-1`: each call, in the order in which they were begun. */
  readonly calls: string[];
  /** How many of the calls begin with these words. */
  count(words: string): number;
  /** Replaces what these operations do. An operation without a script fails the test. */
  script(more: Partial<NumbersApi>): void;
}

export function scriptedNumbers(script: Partial<NumbersApi> = {}): ScriptedNumbers {
  const calls: string[] = [];
  let current = script;

  function called<Name extends keyof NumbersApi>(name: Name, ...words: readonly unknown[]): NumbersApi[Name] {
    calls.push([name, ...words].join(' '));
    const operation = current[name];
    if (operation === undefined) throw new Error(`the test did not expect a call of ${name}`);
    return operation;
  }

  return {
    calls,
    count: (words) => calls.filter((call) => call === words || call.startsWith(`${words} `)).length,
    script(more) {
      current = { ...current, ...more };
    },
    // Async, so that what was not expected rejects like any broken call.
    numbers: {
      products: async (filter) => {
        const { countryId, platformId, operatorId } = filter;
        const words = [countryId, platformId, operatorId].map((id) => id ?? 'any');
        return called('products', words.join('/'))(filter);
      },
      countries: async () => called('countries')(),
      services: async (countryId) => called('services', countryId ?? 'all')(countryId),
      operators: async (countryId, platformId) =>
        called('operators', countryId, platformId)(countryId, platformId),
      exchangeRate: async (pair) => called('exchangeRate', pair)(pair),
      balance: async () => called('balance')(),
      order: async (id, deadline) => called('order', id)(id, deadline),
      activeOrders: async () => called('activeOrders')(),
      orders: async (page) => called('orders', page.limit, page.offset)(page),
      sendPaid: async (attempt) => called('sendPaid', attempt.idempotencyKey)(attempt),
      cancel: async (id) => called('cancel', id)(id),
      finish: async (id) => called('finish', id)(id),
      resend: async (id) => called('resend', id)(id),
      reactivationQuote: async (id) => called('reactivationQuote', id)(id),
      webhook: async () => called('webhook')(),
      setWebhookUrl: async (url) => called('setWebhookUrl', url)(url),
      testWebhook: async () => called('testWebhook')(),
    },
  };
}
