import { type OrderId, parseBusinessJobId, parseCallerName, parseOrderIdText } from '../domain/ids.ts';
import type { Attempt } from '../domain/orders/attempt.ts';
import { type CloseResult, closeAttempt, type Finding } from '../flows/orders/close-attempt.ts';
import { findEvidence } from '../flows/orders/find-evidence.ts';
import { CloseCreateAttemptInputType, CreateAttemptType } from '../schema/attempt.ts';
import { builder } from '../schema/builder.ts';
import { OrderType } from '../schema/order.ts';
import { badInput, notFound, orBadInput } from './errors.ts';
import { asOperator } from './guard.ts';
import { upstreamError } from './upstream-error.ts';

const LONGEST_NOTE = 2_000;

builder.mutationField('closeCreateAttempt', (t) =>
  t.field({
    type: CreateAttemptType,
    description:
      'Operator only: closes an attempt held in OPERATOR_REVIEW with what was found out. Buys nothing; reads the orders named.',
    args: {
      input: t.arg({
        type: CloseCreateAttemptInputType,
        required: true,
        description: 'Which attempt, and the finding.',
      }),
    },
    resolve: asOperator(async (_root, { input }, { by, deps }) => {
      const finding = findingOf(input);
      if (finding === null) throw notFound('create attempt');
      return closedOrThrow(await closeAttempt(deps, finding, by));
    }),
  }),
);

builder.queryField('unaccountedOrders', (t) =>
  t.field({
    type: [OrderType],
    description:
      "Operator only: the evidence for a review. Orders on the account that no attempt accounts for and that this one may have made, oldest first. Reads the account's list upstream first.",
    args: {
      caller: t.arg.string({ required: true, description: 'CreateAttempt.caller.' }),
      businessJobId: t.arg.string({ required: true, description: "Which of the caller's jobs." }),
    },
    resolve: asOperator(async (_root, args, { deps }) => {
      const caller = parseCallerName(args.caller);
      const businessJobId = parseBusinessJobId(args.businessJobId);
      if (caller === null || businessJobId === null) throw notFound('create attempt');
      const evidence = await findEvidence(deps, caller, businessJobId);
      if (evidence.kind === 'no-attempt') throw notFound('create attempt');
      if (evidence.kind === 'fault') throw upstreamError(evidence.fault);
      return evidence.orders;
    }),
  }),
);

/** Null for names that no caller or job can have. */
function findingOf(input: typeof CloseCreateAttemptInputType.$inferInput): Finding | null {
  const { note } = input;
  if (note.trim() === '' || note.length > LONGEST_NOTE || !note.isWellFormed()) {
    throw badInput('note', `1 to ${LONGEST_NOTE} characters, not blank`);
  }
  const orderIds = orderIdsOf(input.orderIds ?? []);
  if (input.finding === 'ORDERED' && orderIds.length === 0) {
    throw badInput('orderIds', 'the orders that exist, with the finding ORDERED');
  }
  if (input.finding === 'NOT_ORDERED' && orderIds.length > 0) {
    throw badInput('orderIds', 'left out with the finding NOT_ORDERED');
  }
  const caller = parseCallerName(input.caller);
  const businessJobId = parseBusinessJobId(input.businessJobId);
  return caller === null || businessJobId === null ? null : { caller, businessJobId, orderIds, note };
}

function orderIdsOf(asked: readonly string[]): OrderId[] {
  return asked.map((id) => orBadInput(parseOrderIdText(id), 'orderIds', "the provider's ids of orders"));
}

function closedOrThrow(result: CloseResult): Attempt {
  switch (result.kind) {
    case 'closed':
      return result.attempt;
    case 'no-attempt':
      throw notFound('create attempt');
    case 'not-in-review':
      throw badInput('businessJobId', `a job held in OPERATOR_REVIEW; this one is ${result.attempt.state}`);
    case 'too-many-orders':
      throw badInput('orderIds', `${result.quantity} orders at most: so many were asked for`);
    case 'order-unusable':
      throw badInput(
        'orderIds',
        result.why === 'taken'
          ? `orders that no other attempt accounts for; ${result.orderId} is another's`
          : `orders that the provider knows; ${result.orderId} is not among them`,
      );
    case 'fault':
      throw upstreamError(result.fault);
  }
}
