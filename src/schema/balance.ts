import type { Balance } from '../domain/balance.ts';
import { builder } from './builder.ts';

/** `low` needs the threshold that is set: it is added in resolvers. */
export const BalanceType = builder.objectRef<Balance>('Balance').implement({
  description: 'The balance of the account at the number provider, which all callers share.',
  fields: (t) => ({
    currency: t.exposeString('currency', {
      description: 'ISO 4217. The provider keeps accounts in IDR alone.',
    }),
    amount: t.expose('amount', {
      type: 'Rupiah',
      description: 'What is left to order with, in whole rupiah.',
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'When this was read upstream. Charges and refunds since then are not in it.',
    }),
  }),
});
