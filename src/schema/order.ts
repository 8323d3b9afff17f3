import type { Order, OrderStatus } from '../domain/orders/order.ts';
import { builder } from './builder.ts';
import { type CountedConnection, connectionOf, countable } from './connection.ts';

export const OrderStatusType = builder.enumType('OrderStatus', {
  description: 'Where an order stands. The provider decides it; nothing leads out of the last three.',
  values: {
    ACTIVE: {
      description: 'The number is rented and waits for an SMS; also again after a resend was asked for.',
    },
    OTP_RECEIVED: { description: 'An SMS has come, with or without a code in it. More may follow.' },
    COMPLETED: { description: 'Finished after an SMS. The charge stands.' },
    CANCELED: { description: 'Given back before any SMS, and refunded.' },
    EXPIRED: { description: 'The time ran out. Without any SMS the charge came back.' },
  } satisfies Record<OrderStatus, { description: string }>,
});

/** Fields that need more than the order itself (product, messages, attempt, parent) are added in resolvers. */
export const OrderType = builder.objectRef<Order>('Order').implement({
  description:
    'A rented number, as last read upstream. What may be done with it is told by the can… flags alone: derive nothing from times or from the status.',
  fields: (t) => ({
    id: t.id({
      description: "The provider's order number, as text: what `orderId` means everywhere.",
      resolve: (order) => String(order.id),
    }),
    status: t.expose('status', { type: OrderStatusType, description: 'Where the order stands.' }),
    phoneNumber: t.exposeString('phoneNumber', {
      nullable: true,
      description:
        'The number, with its dialling code. Null until one is assigned, and after retention has erased it.',
    }),
    amount: t.field({
      type: 'Rupiah',
      description: 'What was charged for it. Stays as it is when the money comes back.',
      resolve: (order) => complete(order.amount),
    }),
    productId: t.int({
      description: 'The catalog tier that was taken: the id of `product`.',
      resolve: (order) => complete(order.productId),
    }),
    catalogProductId: t.exposeInt('catalogProductId', {
      nullable: true,
      description: 'The stable id it was ordered by; null of an old order.',
    }),
    operatorId: t.exposeInt('operatorId', {
      nullable: true,
      description: "The mobile operator's id; null where none is told.",
    }),
    operatorName: t.exposeString('operatorName', {
      nullable: true,
      description: "The mobile operator's name; null where none is told.",
    }),
    otpCode: t.exposeString('otpCode', {
      nullable: true,
      description:
        "The provider's own reading of the code in the last message; often null though a message is there. See SmsRevision.suggestedCode.",
    }),
    otpMessage: t.exposeString('otpMessage', {
      nullable: true,
      description:
        'The last message, never cut or changed. Null before the first, and after retention has erased it.',
    }),
    smsRevision: t.exposeInt('smsRevision', {
      description:
        'The number of the last accepted message; -1 until there is one. Rises with each, and may leave gaps. Pass it to smsReceived as afterRevision to see only what comes next.',
    }),
    otpReceivedAt: t.expose('otpReceivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the provider received the last message; null before the first.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the rental runs out, for a countdown alone: the status tells when it has. Null where not told.',
    }),
    failedReason: t.exposeString('failedReason', {
      nullable: true,
      description: "Why no number came of it, in the provider's word; null of an order that did not fail.",
    }),
    canFinish: t.boolean({
      description: 'finishOrder would be sent now: an SMS has come and the order is open.',
      resolve: (order) => order.capabilities.canFinish,
    }),
    canResend: t.boolean({
      description: 'resendSms would be sent now.',
      resolve: (order) => order.capabilities.canResend,
    }),
    canCancel: t.boolean({
      description: "cancelOrder would be sent now: no SMS has come, and the provider's minimum wait is over.",
      resolve: (order) => order.capabilities.canCancel,
    }),
    canReplace: t.boolean({
      description: 'The provider would exchange the number, on its own pages: its API has no call for it.',
      resolve: (order) => order.capabilities.canReplace,
    }),
    canReactivate: t.boolean({
      description:
        'The same number may be rented again: ask reactivationQuote for its price, then reactivateOrder.',
      resolve: (order) => order.capabilities.canReactivate,
    }),
    resendAvailableAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the wait between two resends ends, for a countdown; null outside of it.',
      resolve: (order) => order.capabilities.resendAvailableAt,
    }),
    cancelAvailableAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the minimum wait before a cancel ends, for a countdown; null outside of it.',
      resolve: (order) => order.capabilities.cancelAvailableAt,
    }),
    replaceAvailableAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the minimum wait before an exchange ends, for a countdown; null outside of it.',
      resolve: (order) => order.capabilities.replaceAvailableAt,
    }),
    canceledAt: t.expose('canceledAt', {
      type: 'DateTime',
      nullable: true,
      description:
        "The provider's time of its cancelation; where it has told none, when the gateway first knew of it. Null while it is not canceled.",
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description:
        "The provider's time of the order; where it has told none, when the gateway first knew of it.",
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description:
        'When this snapshot was read upstream, or told by a webhook. order(refresh: true) reads anew.',
    }),
  }),
});

/** Stores show no order before a read completed it: a hole here is a fault of the program. */
function complete<Value>(value: Value | null): Value {
  if (value === null) throw new Error('an order that no read has completed must not be shown');
  return value;
}

export type OrderPage = CountedConnection<Order>;

export const OrderConnectionType = connectionOf<Order, OrderPage>('Order', 'orders', OrderType);
countable(OrderConnectionType);

export const OrderFilterType = builder.inputType('OrderFilter', {
  description:
    'Which orders are meant. All that is given must hold; what is left out or null does not narrow.',
  fields: (t) => ({
    statuses: t.field({
      type: [OrderStatusType],
      description: 'Orders in any of these. An empty list: none.',
    }),
    businessJobId: t.string({
      description: "Orders that this job made. An operator's search finds every caller's job of that name.",
    }),
    phoneNumber: t.string({ description: 'Orders of exactly this number, written as Order.phoneNumber is.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Orders created at this instant or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Orders created before this instant.' }),
  }),
});
