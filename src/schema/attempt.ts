import type {
  Attempt,
  AttemptEvent,
  AttemptKind,
  AttemptState,
  ReconciliationReason,
} from '../domain/orders/attempt.ts';
import { builder } from './builder.ts';
import { type CountedConnection, connectionOf, countable } from './connection.ts';

const AttemptKindType = builder.enumType('AttemptKind', {
  description: 'What an attempt asks the provider for. Both charge.',
  values: {
    CREATE: { description: 'New numbers: createOrder.' },
    REACTIVATE: { description: 'The number of a completed order once more: reactivateOrder.' },
  } satisfies Record<AttemptKind, { description: string }>,
});

const CreateAttemptStateType = builder.enumType('CreateAttemptState', {
  description:
    'Where an attempt stands. PREPARED, SENDING and NEEDS_RECONCILIATION move on by themselves; OPERATOR_REVIEW waits for a person; the others are final.',
  values: {
    PREPARED: { description: 'Stored, and not sent yet.' },
    SENDING: { description: 'Being sent at this moment, or its sender died and nobody took over yet.' },
    NEEDS_RECONCILIATION: {
      description:
        'The answer did not tell whether it was charged. The same request under the same key goes out again at nextAttemptAt: the provider applies it once.',
    },
    RESOLVED: { description: 'The provider answered; the orders are there.' },
    DEFINITIVE_REJECTION: { description: 'The provider refused it for good; nothing was charged.' },
    INSUFFICIENT_BALANCE: { description: "The account's balance was too low; nothing was charged." },
    OPERATOR_REVIEW: {
      description:
        'Out of time or of sends without a clear answer: it may have been charged. Never sent again by itself; an operator finds out and closes it.',
    },
    CLOSED: { description: 'An operator closed the review with what was found out.' },
  } satisfies Record<AttemptState, { description: string }>,
});

export const ReconciliationReasonType = builder.enumType('ReconciliationReason', {
  description: 'Why it is not known whether a paid request was charged.',
  values: {
    TRANSPORT: { description: 'No answer, or one that broke off.' },
    HTTP_5XX: { description: 'The provider answered with a server error.' },
    MALFORMED_RESPONSE: { description: 'The answer could not be read.' },
    REQUEST_IN_PROGRESS: {
      description: 'The provider is still working on an earlier send of the same request.',
    },
    UNKNOWN_RESPONSE: {
      description: 'A refusal that does not say what became of the money: throttling, say.',
    },
    CONTRADICTORY_RESPONSE: { description: 'An answer that says both yes and no, or neither.' },
    MALFORMED_SUCCESS: { description: 'A yes whose orders could not be read or counted.' },
    SENDER_LOST: { description: 'The gateway that sent it stopped before it wrote an answer down.' },
  } satisfies Record<ReconciliationReason, { description: string }>,
});

export const CreateAttemptEventType = builder.objectRef<AttemptEvent>('CreateAttemptEvent').implement({
  description: "One change of an attempt's state.",
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Rises by one with each event of the attempt.' }),
    state: t.expose('state', { type: CreateAttemptStateType, description: 'The state it came to.' }),
    reason: t.expose('reason', {
      type: ReconciliationReasonType,
      nullable: true,
      description: 'Of NEEDS_RECONCILIATION: why. Null otherwise.',
    }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description: 'The HTTP status that the provider answered with; null where there was no answer.',
    }),
    errorCode: t.exposeString('errorCode', {
      nullable: true,
      description: "The provider's error code; null where it told none.",
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'What an operator wrote when closing the review; null otherwise.',
    }),
    at: t.expose('at', { type: 'DateTime', description: "When it happened, by the database's clock." }),
  }),
});

/** `sourceOrder`, `events` and `orders` are looked up: they are added in resolvers. */
export const CreateAttemptType = builder.objectRef<Attempt>('CreateAttempt').implement({
  description:
    "A paid request, stored before anything was sent. A caller's job has one, for good: asked for again it is looked up, and only sent again, unchanged, while its outcome is not known.",
  fields: (t) => ({
    caller: t.exposeString('caller', {
      description: "Whose it is. A job's name is its own within its caller alone.",
    }),
    businessJobId: t.exposeString('businessJobId', { description: "The caller's own name of the job." }),
    kind: t.field({
      type: AttemptKindType,
      description: 'What it asks for.',
      resolve: (attempt) => attempt.request.kind,
    }),
    state: t.expose('state', { type: CreateAttemptStateType, description: 'Where it stands.' }),
    idempotencyKey: t.exposeString('idempotencyKey', {
      description:
        "The key that every send carries: what the provider's support asks for. Made by the gateway where the input gave none.",
    }),
    catalogProductId: t.exposeInt('catalogProductId', {
      nullable: true,
      description: 'What is ordered. Null of a reactivation whose order has none.',
    }),
    quantity: t.exposeInt('quantity', { description: 'How many numbers it asks for; 1 of a reactivation.' }),
    sends: t.exposeInt('sends', {
      description:
        'How often it has been sent: 32 times at most. The provider applies it once, however often.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was stored.' }),
    reviewThresholdAt: t.expose('reviewThresholdAt', {
      type: 'DateTime',
      description: 'From when on it waits for a person if it is still not settled.',
    }),
    replayDeadlineAt: t.expose('replayDeadlineAt', {
      type: 'DateTime',
      description:
        'After this it is not sent again: the earlier of reviewThresholdAt and an hour after the start.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is sent again; null where no further send is planned.',
    }),
  }),
});

export type AttemptPage = CountedConnection<Attempt>;

export const CreateAttemptConnectionType = connectionOf<Attempt, AttemptPage>(
  'CreateAttempt',
  'create attempts',
  CreateAttemptType,
);
countable(CreateAttemptConnectionType);

export const CreateAttemptFilterType = builder.inputType('CreateAttemptFilter', {
  description: 'Which attempts are meant.',
  fields: (t) => ({
    states: t.field({
      type: [CreateAttemptStateType],
      description:
        "Attempts in any of these; null or left out: all. An empty list: none. OPERATOR_REVIEW alone is an operator's list of work.",
    }),
  }),
});

const ReviewFindingType = builder.enumType('ReviewFinding', {
  description: 'What was found out about an attempt in review.',
  values: {
    ORDERED: {
      description: 'The orders named exist: they are adopted into the attempt, and their price is booked.',
    },
    NOT_ORDERED: { description: 'Nothing was bought: what the budget held for it is freed.' },
  },
});

export const CloseCreateAttemptInputType = builder.inputType('CloseCreateAttemptInput', {
  description: 'Which attempt in OPERATOR_REVIEW to close, and with what.',
  fields: (t) => ({
    caller: t.string({ required: true, description: 'Whose attempt it is: CreateAttempt.caller.' }),
    businessJobId: t.string({ required: true, description: "Which of the caller's jobs." }),
    finding: t.field({ type: ReviewFindingType, required: true, description: 'What was found out.' }),
    orderIds: t.idList({
      description:
        "With ORDERED: the provider's ids of the orders that this attempt made. With NOT_ORDERED: leave it out.",
    }),
    note: t.string({
      required: true,
      description:
        'How it was found out, for whoever reads the events later. No secrets: it is shown to the caller.',
    }),
  }),
});
