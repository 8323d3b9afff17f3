import { builder } from './builder.ts';

const codes = {
  UNAUTHORIZED: { description: "The gateway's token was refused upstream: a matter for its operator." },
  NOT_FOUND: { description: 'The provider does not know the order.' },
  CONFLICT: { description: "The order's state does not allow it any more." },
  PROVIDER_ERROR: { description: 'The number supplier behind the provider refused.' },
  VALIDATION_ERROR: { description: 'The provider found the request itself wrong.' },
  RATE_LIMIT_EXCEEDED: { description: "Throttled: wait, then look at the order's flags again." },
  INTERNAL_ERROR: { description: 'The provider failed.' },
  SERVICE_UNAVAILABLE: { description: 'The provider is not available at present.' },
};

export type ActionRejectionCode = keyof typeof codes;

/** Of finishes and resends; a cancel has one more. */
export const OrderActionRejectionCodeType = builder.enumType('OrderActionRejectionCode', {
  description: 'Why the provider refused to finish an order or to ask for another SMS, in its own words.',
  values: codes,
});
