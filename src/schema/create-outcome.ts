import type { NotSentReason } from '../domain/orders/admit-create.ts';
import type { RejectionCode } from '../domain/orders/attempt.ts';
import type { CreateOutcome } from '../domain/orders/outcome.ts';
import { CreateAttemptType, ReconciliationReasonType } from './attempt.ts';
import { builder } from './builder.ts';
import { CatalogProductType } from './catalog.ts';
import { OrderType } from './order.ts';
import { BudgetType } from './viewer.ts';

/** One variant of the domain's, told as two types of the graph. */
type Made = Extract<CreateOutcome, { kind: 'CreateOrderResolved' | 'CreateOrderPendingAssignment' }>;
type Outcome<Kind extends CreateOutcome['kind']> = Extract<CreateOutcome, { kind: Kind }>;

const CreateRejectionCodeType = builder.enumType('CreateRejectionCode', {
  description: 'Why the provider refused a paid request for good.',
  values: {
    NO_OFFER_AVAILABLE: {
      description: 'No offer fits product, operator, price bounds and policy at that moment.',
    },
    VALIDATION_ERROR: { description: 'The provider found the request itself wrong.' },
    PROVIDER_ERROR: { description: 'The number supplier behind the provider refused or failed.' },
    IDEMPOTENCY_KEY_REUSED: {
      description: 'The key is known upstream with another request: it was used outside of this gateway.',
    },
    NOT_FOUND: { description: 'Of a reactivation alone: the order is not there.' },
    CONFLICT: { description: 'Of a reactivation alone: the order cannot be reactivated now.' },
  } satisfies Record<RejectionCode, { description: string }>,
});

const NotSentReasonType = builder.enumType('NotSentReason', {
  description:
    'Why the gateway refused before anything was stored or sent. The job is still free: ask again once it may do better.',
  values: {
    UNKNOWN_PRODUCT: { description: 'The catalogProductId was never listed.' },
    INACTIVE: { description: 'Listed, but as not active.' },
    OUT_OF_STOCK: { description: 'Listed once and not now, or with fewer in stock than asked for.' },
    PRICE_ABOVE_LIMIT: { description: 'Even the cheapest is dearer than maxUnitPrice or maxCost.' },
    BUDGET_EXCEEDED: { description: 'It could take the caller over its budget: see budget.' },
    NOT_REACTIVATABLE: { description: 'The order to reactivate does not allow it.' },
    QUOTE_UNAVAILABLE: { description: 'The provider gave no price for the reactivation.' },
  } satisfies Record<NotSentReason, { description: string }>,
});

export const CreateOrderOutcomeType = builder.interfaceRef<CreateOutcome>('CreateOrderOutcome').implement({
  description:
    'What became of a paid request. Asking again with the same input is always safe: it returns the present outcome and never orders twice.',
  resolveType: (outcome) => outcome.kind,
  fields: (t) => ({
    attempt: t.expose('attempt', {
      type: CreateAttemptType,
      nullable: true,
      description:
        "The job's durable attempt; null where nothing was stored. Select it here, not within fragments: there it is non-null, and GraphQL does not merge the two.",
    }),
  }),
});

const attemptDescription = "The job's durable attempt.";
const ordersDescription = 'The orders that were made, by id.';
const failedDescription = 'How many of the quantity could not be had; they cost nothing.';

builder.objectType(builder.objectRef<Made>('CreateOrderResolved'), {
  description:
    'The provider answered: orders + failedCount = quantity. Every order that is still open has its number. All of them may have failed.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
    orders: t.expose('orders', { type: [OrderType], description: ordersDescription }),
    failedCount: t.exposeInt('failedCount', { description: failedDescription }),
  }),
});

builder.objectType(builder.objectRef<Made>('CreateOrderPendingAssignment'), {
  description:
    'Resolved and charged, but at least one order has no number yet, even after one more read. Follow orderChanged or ask again; it is not ordered again.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
    orders: t.expose('orders', { type: [OrderType], description: ordersDescription }),
    failedCount: t.exposeInt('failedCount', { description: failedDescription }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'CreateOrderRejected'>>('CreateOrderRejected'), {
  description: 'The provider refused it for good; nothing was charged. To try again, use a new job.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
    code: t.expose('code', { type: CreateRejectionCodeType, description: 'Why.' }),
    httpStatus: t.exposeInt('httpStatus', { description: 'The HTTP status of the refusal.' }),
  }),
});

/** `balance` is looked up: it is added in resolvers. */
export const CreateOrderInsufficientBalanceType = builder
  .objectRef<Outcome<'CreateOrderInsufficientBalance'>>('CreateOrderInsufficientBalance')
  .implement({
    description:
      "The account's balance upstream is too low; nothing was charged. Top up, then use a new job: this one is final.",
    interfaces: [CreateOrderOutcomeType],
    fields: (t) => ({
      attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
    }),
  });

builder.objectType(
  builder.objectRef<Outcome<'CreateOrderNeedsReconciliation'>>('CreateOrderNeedsReconciliation'),
  {
    description:
      'Not known yet whether it was charged. The gateway sends the very same request again at nextAttemptAt. Do not use another job in the meantime: that would be a second order. Follow createAttemptChanged.',
    interfaces: [CreateOrderOutcomeType],
    fields: (t) => ({
      attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
      reason: t.expose('reason', {
        type: ReconciliationReasonType,
        description:
          'Why it is not known. Beside CreateOrderNotSent.reason, of another enum, one of the two needs an alias.',
      }),
      nextAttemptAt: t.expose('nextAttemptAt', {
        type: 'DateTime',
        description: 'When it is sent again, or, past its deadline, handed to a person.',
      }),
    }),
  },
);

builder.objectType(builder.objectRef<Outcome<'CreateOrderInFlight'>>('CreateOrderInFlight'), {
  description:
    'Being sent at this moment for an earlier asker, by this instance or another. Follow createAttemptChanged, or ask again in a few seconds.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'CreateOrderOperatorReview'>>('CreateOrderOperatorReview'), {
  description:
    'Held for a person, and never sent again by itself: it may have been charged. An operator closes it with what was found out; follow createAttemptChanged or ask again.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', { type: CreateAttemptType, description: attemptDescription }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'CreateOrderConflict'>>('CreateOrderConflict'), {
  description:
    'The job is known with another request, key or threshold. Nothing was changed and nothing sent: use another job for another order.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', {
      type: CreateAttemptType,
      description: 'The attempt that the job is bound to, as it stands.',
    }),
    differing: t.exposeStringList('differing', {
      description: 'The input fields whose values differ from those of the first request.',
    }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'CreateOrderNotSent'>>('CreateOrderNotSent'), {
  description:
    'Refused by the gateway before anything was stored or sent: nothing was charged, and the job is still free.',
  interfaces: [CreateOrderOutcomeType],
  fields: (t) => ({
    attempt: t.expose('attempt', {
      type: CreateAttemptType,
      nullable: true,
      description: 'Null: nothing was stored.',
    }),
    reason: t.expose('reason', {
      type: NotSentReasonType,
      description:
        'Why. Beside CreateOrderNeedsReconciliation.reason, of another enum, one of the two needs an alias.',
    }),
    product: t.expose('product', {
      type: CatalogProductType,
      nullable: true,
      description:
        'The tier that stood in the way, or as it was when last listed; null where there is none to show.',
    }),
    budget: t.expose('budget', {
      type: BudgetType,
      nullable: true,
      description: 'With BUDGET_EXCEEDED: the books at that moment. Null otherwise.',
    }),
  }),
});
