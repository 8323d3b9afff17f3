import type { Delivery } from '../domain/supplier/delivery.ts';
import type { SupplierOrder } from '../domain/supplier/order.ts';
import type { DeliveryPlan } from '../domain/supplier/plan.ts';
import { builder } from './builder.ts';
import { DeliveryStatusType, SupplierDeliveryType } from './supplier-delivery.ts';
import { SupplierOrderType } from './supplier-order.ts';

const OverflowPolicyType = builder.enumType('OverflowPolicy', {
  description:
    'What to do with lines past the ordered quantity, which the supplier API would cut off without a word.',
  values: {
    REFUSE: { description: 'Send nothing when any line is over.' },
    SEND_WHAT_FITS: { description: 'Send what fits, and tell in the plan what was dropped.' },
  },
});

export const DeliverSupplierOrderInputType = builder.inputType('DeliverSupplierOrderInput', {
  description: 'What to deliver on which order.',
  fields: (t) => ({
    orderId: t.id({ required: true, description: 'SupplierOrder.id.' }),
    lines: t.stringList({
      required: true,
      description:
        'Opaque text, never parsed. Each element is split at line breaks; blank lines and surrounding space fall away, as do repeats whatever their letter case.',
    }),
    status: t.field({
      type: DeliveryStatusType,
      description: 'Left out: COMPLETED when the order is full after this, else PARTIAL.',
    }),
    externalId: t.string({ description: 'Your own order number; left out: what is set stays.' }),
    externalPrice: t.string({
      description: 'Your own book-keeping price; left out or empty: what is set stays.',
    }),
    overflow: t.field({
      type: OverflowPolicyType,
      required: true,
      defaultValue: 'REFUSE',
      description: 'What to do with lines that are over.',
    }),
  }),
});

export const DeliveryPlanType = builder.objectRef<DeliveryPlan>('DeliveryPlan').implement({
  description:
    'What becomes of lines, told beforehand: the supplier API does it silently. received = fresh + blank + duplicate + overflow.',
  fields: (t) => ({
    received: t.exposeInt('received', { description: 'Lines given, after splitting at line breaks.' }),
    fresh: t.exposeStringList('fresh', { description: 'Lines that will be stored, in order.' }),
    blank: t.exposeInt('blank', { description: 'Blank lines, which fall away.' }),
    duplicate: t.exposeStringList('duplicate', {
      description: 'Repeats within this batch or of what was delivered before, whatever their letter case.',
    }),
    overflow: t.exposeStringList('overflow', { description: 'Lines past the ordered quantity.' }),
    remainingAfter: t.exposeInt('remainingAfter', {
      description: 'How many lines are still owed once fresh is stored.',
    }),
  }),
});

const rejectionCodes = {
  ORDER_NOT_FOUND: { description: 'The supplier API does not know the order.' },
  ACCESS_DENIED: { description: 'No line of that order is yours.' },
  PAYMENT_NOT_COMPLETED: { description: 'Not paid, or wholly refunded: never deliver on it.' },
  INVALID_ACCOUNTS: { description: 'No usable line was left.' },
  API_KEY_REQUIRED: { description: 'The gateway sent no key: a matter for its operator.' },
  INVALID_API_KEY: { description: "The gateway's key is not known: a matter for its operator." },
  OTHER: { description: 'A refusal of a newer kind; its code is in the message.' },
};
const notSentReasons = {
  NOTHING_TO_SEND: { description: 'No fresh line is among those given.' },
  OVERFLOW: { description: 'Lines are over the ordered quantity, and overflow says REFUSE.' },
  PREVIOUS_DELIVERY_PENDING: {
    description: 'An earlier delivery on this order is not settled yet: wait for it.',
  },
};

const DeliveryRejectionCodeType = builder.enumType('DeliveryRejectionCode', {
  description: 'Why the supplier API refused a delivery.',
  values: rejectionCodes,
});
const DeliveryNotSentReasonType = builder.enumType('DeliveryNotSentReason', {
  description: 'Why the gateway did not send a delivery.',
  values: notSentReasons,
});

/** What the graph tells of a delivery; each `kind` is a type's name. */
type DeliverOutcome =
  | {
      readonly kind: 'DeliveryAccepted';
      readonly plan: DeliveryPlan;
      readonly order: SupplierOrder;
    }
  | { readonly kind: 'DeliveryPending'; readonly plan: DeliveryPlan; readonly delivery: Delivery }
  | {
      readonly kind: 'DeliveryRejected';
      readonly plan: DeliveryPlan;
      readonly code: keyof typeof rejectionCodes;
      readonly message: string;
    }
  | {
      readonly kind: 'DeliveryNotSent';
      readonly plan: DeliveryPlan;
      readonly reason: keyof typeof notSentReasons;
    };
type Outcome<Kind extends DeliverOutcome['kind']> = Extract<DeliverOutcome, { kind: Kind }>;

export const DeliverSupplierOrderOutcomeType = builder
  .interfaceRef<DeliverOutcome>('DeliverSupplierOrderOutcome')
  .implement({
    description: 'What became of a delivery.',
    resolveType: (outcome) => outcome.kind,
    fields: (t) => ({
      plan: t.expose('plan', { type: DeliveryPlanType, description: 'What became of each line.' }),
    }),
  });

builder.objectType(builder.objectRef<Outcome<'DeliveryAccepted'>>('DeliveryAccepted'), {
  description: 'The supplier API took it: the fresh lines are stored.',
  interfaces: [DeliverSupplierOrderOutcomeType],
  fields: (t) => ({
    order: t.expose('order', { type: SupplierOrderType, description: 'The order as it stands now.' }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'DeliveryPending'>>('DeliveryPending'), {
  description:
    'Stored, and sent again, the very same request, until it is settled or its hour is over. Do not deliver the lines again: look at the delivery.',
  interfaces: [DeliverSupplierOrderOutcomeType],
  fields: (t) => ({
    delivery: t.expose('delivery', { type: SupplierDeliveryType, description: 'The stored delivery.' }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'DeliveryRejected'>>('DeliveryRejected'), {
  description: 'Refused upstream for good; not tried again.',
  interfaces: [DeliverSupplierOrderOutcomeType],
  fields: (t) => ({
    code: t.expose('code', { type: DeliveryRejectionCodeType, description: 'Why.' }),
    message: t.exposeString('message', { description: 'The reason in words, for people.' }),
  }),
});

builder.objectType(builder.objectRef<Outcome<'DeliveryNotSent'>>('DeliveryNotSent'), {
  description: 'Refused by the gateway before anything was sent.',
  interfaces: [DeliverSupplierOrderOutcomeType],
  fields: (t) => ({ reason: t.expose('reason', { type: DeliveryNotSentReasonType, description: 'Why.' }) }),
});
