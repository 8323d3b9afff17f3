import type { OrderId } from '../domain/ids.ts';
import type { Order, OrderStatus } from '../domain/orders/order.ts';
import { type ActionRejectionCode, OrderActionRejectionCodeType } from './action-rejection.ts';
import { builder } from './builder.ts';
import { OrderStatusType, OrderType } from './order.ts';

/** What the graph tells of a resend; each `kind` is a type's name. */
type ResendOutcome =
  | { readonly kind: 'ResendSkipped'; readonly orderId: OrderId; readonly order: Order }
  | {
      readonly kind: 'ResendReceipt';
      readonly orderId: OrderId;
      readonly resent: boolean;
      readonly afterRevision: number;
      readonly order: Order;
    }
  | {
      readonly kind: 'ResendRejected';
      readonly orderId: OrderId;
      readonly httpStatus: number;
      readonly code: ActionRejectionCode;
    }
  | {
      readonly kind: 'ResendAmbiguous';
      readonly orderId: OrderId;
      readonly latestStatus: OrderStatus | null;
    };
type Outcome<Kind extends ResendOutcome['kind']> = Extract<ResendOutcome, { kind: Kind }>;

export const ResendSmsOutcomeType = builder.interfaceRef<ResendOutcome>('ResendSmsOutcome').implement({
  description:
    'What asking for another SMS came to. Several at once are sent once, and all of them get the one outcome.',
  resolveType: (outcome) => outcome.kind,
  fields: (t) => ({
    orderId: t.id({
      description: 'The order on whose number another SMS was wanted.',
      resolve: (outcome) => String(outcome.orderId),
    }),
  }),
});

const orderDescription = 'The order as it stands now.';

builder.objectType(builder.objectRef<Outcome<'ResendSkipped'>>('ResendSkipped'), {
  description:
    'Not sent: the order, read just now, has canResend: false. No SMS has come yet, resendAvailableAt lies ahead, or the order has ended.',
  interfaces: [ResendSmsOutcomeType],
  fields: (t) => ({ order: t.expose('order', { type: OrderType, description: orderDescription }) }),
});

builder.objectType(builder.objectRef<Outcome<'ResendReceipt'>>('ResendReceipt'), {
  description: 'The provider took the request. The order waits for its next SMS and keeps those it has.',
  interfaces: [ResendSmsOutcomeType],
  fields: (t) => ({
    resent: t.exposeBoolean('resent', {
      description: "Whether the request was passed on to the number's supplier.",
    }),
    afterRevision: t.exposeInt('afterRevision', {
      description:
        'The last revision before the request: pass it to smsReceived to see only what comes next.',
    }),
    order: t.expose('order', { type: OrderType, description: orderDescription }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'ResendRejected'>>('ResendRejected'), {
  description: 'The provider refused; no SMS was asked for.',
  interfaces: [ResendSmsOutcomeType],
  fields: (t) => ({
    httpStatus: t.exposeInt('httpStatus', { description: 'The HTTP status of the refusal.' }),
    code: t.expose('code', { type: OrderActionRejectionCodeType, description: 'Why.' }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'ResendAmbiguous'>>('ResendAmbiguous'), {
  description:
    'It is not known whether the request arrived, and nothing could prove it. It is not repeated by itself: wait for an SMS, or ask again once canResend is true.',
  interfaces: [ResendSmsOutcomeType],
  fields: (t) => ({
    latestStatus: t.expose('latestStatus', {
      type: OrderStatusType,
      nullable: true,
      description: 'The status of the last read that could be made; null where none could.',
    }),
  }),
});
