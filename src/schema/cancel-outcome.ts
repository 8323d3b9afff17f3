import type { OrderId } from '../domain/ids.ts';
import type { Rupiah } from '../domain/money.ts';
import type { Order, OrderStatus } from '../domain/orders/order.ts';
import { builder } from './builder.ts';
import { OrderStatusType, OrderType } from './order.ts';

const rejectionCodes = {
  UNAUTHORIZED: { description: "The gateway's token was refused upstream: a matter for its operator." },
  NOT_FOUND: { description: 'The provider does not know the order.' },
  CONFLICT: { description: "The order's state does not allow it any more." },
  CANCEL_TOO_EARLY: {
    description: 'The minimum wait before a cancel is not over: see Order.cancelAvailableAt.',
  },
  PROVIDER_ERROR: {
    description: 'The number supplier behind the provider refused; the order stays as it was.',
  },
  VALIDATION_ERROR: { description: 'The provider found the request itself wrong.' },
  RATE_LIMIT_EXCEEDED: { description: "Throttled, or the day's cap on cancels is reached." },
  INTERNAL_ERROR: { description: 'The provider failed.' },
  SERVICE_UNAVAILABLE: { description: 'The provider is not available at present.' },
};

const CancelRejectionCodeType = builder.enumType('CancelRejectionCode', {
  description: 'Why the provider refused a cancel, in its own words.',
  values: rejectionCodes,
});

/** What the graph tells of a cancel; each `kind` is a type's name. */
type CancelOutcome =
  | { readonly kind: 'CancelSkipped'; readonly orderId: OrderId; readonly order: Order }
  | {
      readonly kind: 'CancelReceipt';
      readonly orderId: OrderId;
      readonly refundAmount: Rupiah;
      readonly newBalance: Rupiah;
      readonly order: Order;
    }
  | {
      readonly kind: 'CancelRejected';
      readonly orderId: OrderId;
      readonly httpStatus: number;
      readonly code: keyof typeof rejectionCodes;
    }
  | { readonly kind: 'CancelConfirmed'; readonly orderId: OrderId; readonly order: Order }
  | {
      readonly kind: 'CancelAmbiguous';
      readonly orderId: OrderId;
      readonly latestStatus: OrderStatus | null;
    };
type Outcome<Kind extends CancelOutcome['kind']> = Extract<CancelOutcome, { kind: Kind }>;

export const CancelOrderOutcomeType = builder.interfaceRef<CancelOutcome>('CancelOrderOutcome').implement({
  description: 'What a cancel came to. Several at once are sent once, and all of them get the one outcome.',
  resolveType: (outcome) => outcome.kind,
  fields: (t) => ({
    orderId: t.id({
      description: 'The order that was to be canceled.',
      resolve: (outcome) => String(outcome.orderId),
    }),
  }),
});

const orderDescription = 'The order as it stands now.';

builder.objectType(builder.objectRef<Outcome<'CancelSkipped'>>('CancelSkipped'), {
  description:
    'Not sent: the order, read just now, has canCancel: false. Look at order for why: it has had an SMS, has ended, or cancelAvailableAt lies ahead.',
  interfaces: [CancelOrderOutcomeType],
  fields: (t) => ({ order: t.expose('order', { type: OrderType, description: orderDescription }) }),
});

builder.objectType(builder.objectRef<Outcome<'CancelReceipt'>>('CancelReceipt'), {
  description: "Canceled, with the provider's receipt: the one place where refund figures come from.",
  interfaces: [CancelOrderOutcomeType],
  fields: (t) => ({
    refundAmount: t.expose('refundAmount', { type: 'Rupiah', description: 'What came back to the account.' }),
    newBalance: t.expose('newBalance', {
      type: 'Rupiah',
      description: "The account's balance right after the refund.",
    }),
    order: t.expose('order', { type: OrderType, description: orderDescription }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'CancelRejected'>>('CancelRejected'), {
  description: 'The provider refused; the order stays as it was.',
  interfaces: [CancelOrderOutcomeType],
  fields: (t) => ({
    httpStatus: t.exposeInt('httpStatus', { description: 'The HTTP status of the refusal.' }),
    code: t.expose('code', { type: CancelRejectionCodeType, description: 'Why.' }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'CancelConfirmed'>>('CancelConfirmed'), {
  description:
    'The cancel came to no clear end, and a read after it shows CANCELED. That is no receipt and carries no refund figures; read balance for the money.',
  interfaces: [CancelOrderOutcomeType],
  fields: (t) => ({ order: t.expose('order', { type: OrderType, description: orderDescription }) }),
});

builder.objectType(builder.objectRef<Outcome<'CancelAmbiguous'>>('CancelAmbiguous'), {
  description:
    'It is not known whether the order is canceled. Nothing is repeated by itself: read the order a little later, and cancel again only if canCancel is still true.',
  interfaces: [CancelOrderOutcomeType],
  fields: (t) => ({
    latestStatus: t.expose('latestStatus', {
      type: OrderStatusType,
      nullable: true,
      description: 'The status of the last read that could be made; null where none could.',
    }),
  }),
});
