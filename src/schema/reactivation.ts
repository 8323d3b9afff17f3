import type { OrderId } from '../domain/ids.ts';
import type { Rupiah } from '../domain/money.ts';
import type { Instant } from '../domain/time.ts';
import { builder } from './builder.ts';

const unavailableCodes = {
  NOT_FOUND: { description: 'The provider does not know the order.' },
  CONFLICT: {
    description: "The order's state does not allow it now; another reactivation may still be settling.",
  },
  PROVIDER_ERROR: { description: "The number's supplier could not say." },
};

const ReactivationUnavailableCodeType = builder.enumType('ReactivationUnavailableCode', {
  description: 'Why there is no price for renting a number once more.',
  values: unavailableCodes,
});

/** What the graph tells of a quote; each `kind` is a type's name. */
type QuoteOutcome =
  | {
      readonly kind: 'ReactivationQuote';
      readonly orderId: OrderId;
      readonly cost: Rupiah;
      readonly asOf: Instant;
    }
  | {
      readonly kind: 'ReactivationUnavailable';
      readonly orderId: OrderId;
      readonly code: keyof typeof unavailableCodes;
    };
type Outcome<Kind extends QuoteOutcome['kind']> = Extract<QuoteOutcome, { kind: Kind }>;

export const ReactivationQuoteOutcomeType = builder
  .interfaceRef<QuoteOutcome>('ReactivationQuoteOutcome')
  .implement({
    description: 'What asking for the price of a reactivation came to.',
    resolveType: (outcome) => outcome.kind,
    fields: (t) => ({
      orderId: t.id({
        description: 'The completed order that was asked about.',
        resolve: (outcome) => String(outcome.orderId),
      }),
    }),
  });

builder.objectType(builder.objectRef<Outcome<'ReactivationQuote'>>('ReactivationQuote'), {
  description:
    'The price at this moment. It reserves nothing and may change: pass it, or a little more, as maxCost.',
  interfaces: [ReactivationQuoteOutcomeType],
  fields: (t) => ({
    cost: t.expose('cost', {
      type: 'Rupiah',
      description: 'What renting the same number once more would cost.',
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When the supplier was asked.' }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'ReactivationUnavailable'>>('ReactivationUnavailable'), {
  description: 'The number cannot be rented once more now, or the supplier did not say for how much.',
  interfaces: [ReactivationQuoteOutcomeType],
  fields: (t) => ({ code: t.expose('code', { type: ReactivationUnavailableCodeType, description: 'Why.' }) }),
});
