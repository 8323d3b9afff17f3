import type { GraphQLResolveInfo } from 'graphql';
import { parseCatalogProductId, parseOperatorId } from '../domain/ids.ts';
import { isSafeInt } from '../domain/int.ts';
import { MOST_ORDERS } from '../domain/orders/admit-create.ts';
import type { Routing } from '../domain/orders/attempt.ts';
import type { CreateRequest } from '../domain/orders/compare.ts';
import { createOrder } from '../flows/orders/create-order.ts';
import { BalanceType } from '../schema/balance.ts';
import { builder } from '../schema/builder.ts';
import type { GraphContext } from '../schema/context.ts';
import { CreateOrderInputType, LONGEST_PROVIDER_CODE } from '../schema/create-order-input.ts';
import { CreateOrderInsufficientBalanceType, CreateOrderOutcomeType } from '../schema/create-outcome.ts';
import { badInput, orBadInput } from './errors.ts';
import { isFieldGiven } from './given-input.ts';
import { asBuyer } from './guard.ts';
import { amountOf, jobOf, outcomeOf } from './paid-request.ts';

type Asked = typeof CreateOrderInputType.$inferInput;

builder.mutationField('createOrder', (t) =>
  t.field({
    type: CreateOrderOutcomeType,
    description:
      'Orders numbers for a job, and charges for it once, however often and by however many it is asked for. Safe to repeat after any error or timeout: with the same businessJobId it returns what became of it.',
    args: {
      input: t.arg({
        type: CreateOrderInputType,
        required: true,
        description: 'What to order, for which job.',
      }),
    },
    resolve: asBuyer(async (_root, { input }, context, info) =>
      outcomeOf(await createOrder(context.deps, requestOf(input, context, info), context.by)),
    ),
  }),
);

function requestOf(input: Asked, context: GraphContext, info: GraphQLResolveInfo): CreateRequest {
  const { quantity } = input;
  if (quantity < 1 || quantity > MOST_ORDERS) throw badInput('quantity', `1 to ${MOST_ORDERS}`);
  const maxUnitPrice = amountOf(input.maxUnitPrice, 'maxUnitPrice');
  // What is reserved is their product, and money is never rounded.
  if (maxUnitPrice !== null && !isSafeInt(maxUnitPrice * quantity)) {
    throw badInput('maxUnitPrice', 'small enough for the whole quantity to be a safe integer');
  }
  const isDefault = quantity === 1 && !isFieldGiven(info, context.rawVariables, 'input', 'quantity');
  return {
    kind: 'CREATE',
    ...jobOf(input, context.caller.name),
    catalogProductId: orBadInput(
      parseCatalogProductId(input.catalogProductId),
      'catalogProductId',
      'a 32-bit integer',
    ),
    quantity: isDefault ? null : quantity,
    maxUnitPrice,
    routing: routingOf(input.routing),
  };
}

function routingOf(asked: Asked['routing']): Routing | null {
  if (asked === null || asked === undefined) return null;
  const { operatorId, preferProvider } = asked;
  if (typeof preferProvider === 'string' && !isProviderCode(preferProvider)) {
    throw badInput('preferProvider', `1 to ${LONGEST_PROVIDER_CODE} printable ASCII characters, not blank`);
  }
  return {
    operatorId: parseOperatorId(operatorId),
    minPrice: amountOf(asked.minPrice, 'minPrice'),
    policy: asked.policy ?? null,
    preferProvider: preferProvider ?? null,
  };
}

function isProviderCode(text: string): boolean {
  return text.length <= LONGEST_PROVIDER_CODE && /^[\x20-\x7e]+$/.test(text) && text.trim() !== '';
}

builder.objectField(CreateOrderInsufficientBalanceType, 'balance', (t) =>
  t.field({
    type: BalanceType,
    nullable: true,
    description: "The account's balance as last read; null where it could not be read yet.",
    resolve: (_outcome, _args, { deps }) => deps.store.balances.latest(),
  }),
);
