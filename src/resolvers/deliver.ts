import { parseSupplierOrderId } from '../domain/ids.ts';
import { deliverOrder } from '../flows/supplier/deliver-order.ts';
import { planFor } from '../flows/supplier/plan-delivery.ts';
import { builder } from '../schema/builder.ts';
import {
  DeliverSupplierOrderInputType,
  DeliverSupplierOrderOutcomeType,
  DeliveryPlanType,
} from '../schema/delivery-outcome.ts';
import { badInput, notFound } from './errors.ts';
import { asSupplier } from './guard.ts';

const LONGEST_REFERENCE = 200;

builder.queryField('deliveryPlan', (t) =>
  t.field({
    type: DeliveryPlanType,
    description: 'What a delivery of these lines would do, before anything is sent.',
    args: {
      orderId: t.arg.id({ required: true, description: 'SupplierOrder.id.' }),
      lines: t.arg.stringList({
        required: true,
        description: 'The lines, as for DeliverSupplierOrderInput.lines.',
      }),
    },
    resolve: asSupplier(async (_root, { orderId, lines }, { deps }) => {
      const id = parseSupplierOrderId(orderId);
      const planned = id === null ? null : await planFor(deps, id, wellFormed(lines));
      if (planned === null) throw notFound('supplier order');
      return planned.plan;
    }),
  }),
);

builder.mutationField('deliverSupplierOrder', (t) =>
  t.field({
    type: DeliverSupplierOrderOutcomeType,
    description:
      'Delivers lines on an order. Stored before it is sent, and sent again unchanged until its outcome is known; answers within ten seconds.',
    args: {
      input: t.arg({
        type: DeliverSupplierOrderInputType,
        required: true,
        description: 'What to deliver on which order.',
      }),
    },
    resolve: asSupplier(async (_root, { input }, { by, deps }) => {
      const externalId = referenceOf(input.externalId, 'externalId');
      const externalPrice = referenceOf(input.externalPrice, 'externalPrice');
      const { status, overflow } = input;
      const lines = wellFormed(input.lines);
      const orderId = parseSupplierOrderId(input.orderId);
      if (orderId === null) throw notFound('supplier order');
      const outcome = await deliverOrder(deps, {
        by,
        orderId,
        lines,
        status: status ?? null,
        externalId,
        externalPrice,
        overflow,
      });
      if (outcome === null) throw notFound('supplier order');
      return outcome;
    }),
  }),
);

/** Half a character would be another one on the wire: neither planned nor sent. */
function wellFormed(lines: readonly string[]): readonly string[] {
  if (!lines.every((line) => line.isWellFormed())) throw badInput('lines', 'well-formed text');
  return lines;
}

/** Null and empty leave what was set (supplier-v2.md, Delivering). */
function referenceOf(asked: string | null | undefined, field: string): string | null {
  if (asked === null || asked === undefined || asked === '') return null;
  if (asked.length > LONGEST_REFERENCE || !asked.isWellFormed() || /\p{Cc}/u.test(asked)) {
    throw badInput(field, `at most ${LONGEST_REFERENCE} characters of plain text`);
  }
  return asked;
}
