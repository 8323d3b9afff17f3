import type { OrderId } from '../domain/ids.ts';
import type { Order, OrderStatus } from '../domain/orders/order.ts';
import { type ActionRejectionCode, OrderActionRejectionCodeType } from './action-rejection.ts';
import { builder } from './builder.ts';
import { OrderStatusType, OrderType } from './order.ts';

/** What the graph tells of a finish; each `kind` is a type's name. */
type FinishOutcome =
  | {
      readonly kind: 'FinishSkipped' | 'FinishReceipt' | 'FinishConfirmed';
      readonly orderId: OrderId;
      readonly order: Order;
    }
  | {
      readonly kind: 'FinishRejected';
      readonly orderId: OrderId;
      readonly httpStatus: number;
      readonly code: ActionRejectionCode;
    }
  | {
      readonly kind: 'FinishAmbiguous';
      readonly orderId: OrderId;
      readonly latestStatus: OrderStatus | null;
    };
type WithOrder = Extract<FinishOutcome, { order: Order }>;

export const FinishOrderOutcomeType = builder.interfaceRef<FinishOutcome>('FinishOrderOutcome').implement({
  description:
    'What finishing an order came to. Several at once are sent once, and all of them get the one outcome.',
  resolveType: (outcome) => outcome.kind,
  fields: (t) => ({
    orderId: t.id({
      description: 'The order that was to be finished.',
      resolve: (outcome) => String(outcome.orderId),
    }),
  }),
});

const orderDescription = 'The order as it stands now.';

builder.objectType(builder.objectRef<WithOrder>('FinishSkipped'), {
  description:
    'Not sent: the order, read just now, has canFinish: false. No SMS has come yet, or it has ended.',
  interfaces: [FinishOrderOutcomeType],
  fields: (t) => ({ order: t.expose('order', { type: OrderType, description: orderDescription }) }),
});

builder.objectType(builder.objectRef<WithOrder>('FinishReceipt'), {
  description: 'The provider closed the order. The charge stands.',
  interfaces: [FinishOrderOutcomeType],
  fields: (t) => ({ order: t.expose('order', { type: OrderType, description: orderDescription }) }),
});

builder.objectType(builder.objectRef<WithOrder>('FinishConfirmed'), {
  description: 'The call came to no clear end, and a read after it shows COMPLETED.',
  interfaces: [FinishOrderOutcomeType],
  fields: (t) => ({ order: t.expose('order', { type: OrderType, description: orderDescription }) }),
});

builder.objectType(builder.objectRef<Extract<FinishOutcome, { kind: 'FinishRejected' }>>('FinishRejected'), {
  description: 'The provider refused; the order stays as it was.',
  interfaces: [FinishOrderOutcomeType],
  fields: (t) => ({
    httpStatus: t.exposeInt('httpStatus', { description: 'The HTTP status of the refusal.' }),
    code: t.expose('code', { type: OrderActionRejectionCodeType, description: 'Why.' }),
  }),
});

builder.objectType(
  builder.objectRef<Extract<FinishOutcome, { kind: 'FinishAmbiguous' }>>('FinishAmbiguous'),
  {
    description:
      'It is not known whether the order is finished. Nothing is repeated by itself: read the order a little later, and finish again only if canFinish is still true.',
    interfaces: [FinishOrderOutcomeType],
    fields: (t) => ({
      latestStatus: t.expose('latestStatus', {
        type: OrderStatusType,
        nullable: true,
        description: 'The status of the last read that could be made; null where none could.',
      }),
    }),
  },
);
