import { type CallerName, parseAttemptId, parseBusinessJobId, parseCallerName } from '../domain/ids.ts';
import type { Attempt } from '../domain/orders/attempt.ts';
import { instant } from '../domain/time.ts';
import { followAttempt } from '../flows/orders/follow-attempt.ts';
import type { AttemptPosition } from '../ports/store/attempts.ts';
import {
  CreateAttemptConnectionType,
  CreateAttemptEventType,
  CreateAttemptFilterType,
  CreateAttemptType,
} from '../schema/attempt.ts';
import { builder } from '../schema/builder.ts';
import type { GraphContext } from '../schema/context.ts';
import { OrderType } from '../schema/order.ts';
import { forbidden, notFound, orBadInput } from './errors.ts';
import { asBuyer } from './guard.ts';
import { openStream } from './open-stream.ts';
import { DEFAULT_FIRST, type List, storedPage } from './page.ts';

/** Events are numbered from 1. */
const BEFORE_ALL_EVENTS = 0;

const jobDescription = 'The name that the job was ordered under.';
const callerDescription = "Operators only: whose job it is. Left out: your key's own caller's.";

builder.queryField('createAttempt', (t) =>
  t.field({
    type: CreateAttemptType,
    nullable: true,
    description: 'The attempt that a job is bound to; null when the caller has no such job.',
    args: {
      businessJobId: t.arg.string({ required: true, description: jobDescription }),
      caller: t.arg.string({ description: callerDescription }),
    },
    resolve: asBuyer(async (_root, args, context) => {
      const owner = ownerOf(context, args.caller);
      const jobId = parseBusinessJobId(args.businessJobId);
      if (jobId === null) return null;
      return (await context.deps.store.attempts.find(owner, jobId))?.attempt ?? null;
    }),
  }),
);

/** Job names are unique within a caller alone. @throws FORBIDDEN when another's is asked for by no operator. */
function ownerOf(context: GraphContext, asked: string | null | undefined): CallerName {
  const { caller, visibility } = context;
  if (asked === null || asked === undefined || asked === caller.name) return caller.name;
  if (visibility.kind !== 'all') throw forbidden('OPERATOR');
  return orBadInput(parseCallerName(asked), 'caller', 'the name of a caller');
}

const attemptList: List<AttemptPosition> = {
  name: 'attempts',
  valuesOf: ({ startedAt, id }) => [startedAt, id],
  positionOf([startedAt, id]) {
    const attempt = typeof id === 'string' ? parseAttemptId(id) : null;
    return attempt === null || typeof startedAt !== 'number'
      ? null
      : { startedAt: instant(startedAt), id: attempt };
  },
};

builder.queryField('createAttempts', (t) =>
  t.field({
    type: CreateAttemptConnectionType,
    description: "The caller's own attempts (an operator's: everyone's), newest first.",
    args: {
      filter: t.arg({ type: CreateAttemptFilterType, description: 'Which attempts; left out: all.' }),
      first: t.arg.int({ defaultValue: DEFAULT_FIRST, description: 'How many at most, 1 to 100.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the newest.' }),
    },
    resolve: asBuyer((_root, args, context) => {
      const states = args.filter?.states ?? null;
      return storedPage(context, attemptList, { states }, args, (request) =>
        context.deps.store.attempts.page(context.visibility, states, request),
      );
    }),
  }),
);

builder.subscriptionField('createAttemptChanged', (t) =>
  t.field({
    type: CreateAttemptType,
    description:
      'The attempt as it stands, then as it was at each change of its state, none left out; completes once that is final. NOT_FOUND when the caller has no such job.',
    args: {
      businessJobId: t.arg.string({ required: true, description: jobDescription }),
      caller: t.arg.string({ description: callerDescription }),
    },
    subscribe: asBuyer(async (_root, args, context) => {
      const owner = ownerOf(context, args.caller);
      const jobId = parseBusinessJobId(args.businessJobId);
      const source = jobId === null ? null : await followAttempt(context.deps, owner, jobId);
      if (source === null) throw notFound('create attempt');
      return openStream(context, 'createAttemptChanged', source);
    }),
    resolve: (attempt: Attempt) => attempt,
  }),
);

builder.objectField(CreateAttemptType, 'events', (t) =>
  t.field({
    type: [CreateAttemptEventType],
    description:
      'Every change of its state up to the one shown, oldest first; appended to, and never rewritten.',
    resolve: async ({ id, version }, _args, { deps }) => {
      const events = await deps.store.attempts.events(id, BEFORE_ALL_EVENTS);
      return events.filter((event) => event.version <= version);
    },
  }),
);

builder.objectField(CreateAttemptType, 'orders', (t) =>
  t.field({
    type: [OrderType],
    description: 'The orders that it made, or that a review adopted into it, by id.',
    resolve: async ({ caller, businessJobId }, _args, { deps }) =>
      (await deps.store.attempts.find(caller, businessJobId))?.orders ?? [],
  }),
);

builder.objectField(CreateAttemptType, 'sourceOrder', (t) =>
  t.field({
    type: OrderType,
    nullable: true,
    description: 'Of a reactivation: the completed order whose number is rented once more. Null of a create.',
    resolve: ({ request }, _args, { loaders }) =>
      request.kind === 'REACTIVATE' ? loaders.orders.load(request.orderId) : null,
  }),
);
