import type { Scope } from '../domain/access.ts';
import { type Budget, remaining } from '../domain/budget/budget.ts';
import type { Rupiah } from '../domain/money.ts';
import { builder } from './builder.ts';
import type { Caller } from './context.ts';

const ScopeType = builder.enumType('Scope', {
  description:
    'What a gateway key may do. A field out of its reach answers FORBIDDEN, before anything is looked up.',
  values: {
    BUYER: {
      description: "Order numbers, and read their messages: the caller's own orders and attempts alone.",
    },
    SUPPLIER: { description: "Work on the account's supplier orders: claim, lease, deliver." },
    OPERATOR: {
      description:
        "Includes BUYER and SUPPLIER, sees every caller's orders and attempts and those made elsewhere on the account, closes reviews and sets the upstream webhook.",
    },
  } satisfies Record<Scope, { description: string }>,
});

export const ViewerType = builder.objectRef<Caller>('Viewer').implement({
  description: 'Who is asking, as the API key says.',
  fields: (t) => ({
    caller: t.exposeString('name', {
      description:
        'The name that the key speaks for. Orders and attempts belong to it, whichever of its keys made them.',
    }),
    scopes: t.field({
      type: [ScopeType],
      description: 'What this key may do. OPERATOR stands alone though it includes the other two.',
      resolve: (caller) => caller.scopes,
    }),
  }),
});

export type LimitedBudget = Budget & { readonly limit: Rupiah };

export const BudgetType = builder.objectRef<LimitedBudget>('Budget').implement({
  description:
    'A cap on what one caller may spend. The gateway admits no create that could take spent + reserved over the limit. Null where the caller has none.',
  fields: (t) => ({
    limit: t.expose('limit', {
      type: 'Rupiah',
      description: "The cap, set by the operator with the caller's key.",
    }),
    spent: t.expose('spent', {
      type: 'Rupiah',
      description: "What was charged for the caller's orders, less what came back by cancels and expiries.",
    }),
    reserved: t.expose('reserved', {
      type: 'Rupiah',
      description:
        'Held for attempts whose outcome is not known yet: the most that they can still cost. Freed or spent once they are settled.',
    }),
    remaining: t.field({
      type: 'Rupiah',
      description: 'limit - spent - reserved, never below 0: what a new create may cost at most.',
      resolve: (budget) => remaining(budget),
    }),
  }),
});
