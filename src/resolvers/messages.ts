import { parseOrderIdText } from '../domain/ids.ts';
import { NO_REVISION, type SmsRevision } from '../domain/sms/accept.ts';
import { followAllMessages, followMessages } from '../flows/sms/follow-messages.ts';
import { builder } from '../schema/builder.ts';
import { OrderType } from '../schema/order.ts';
import { SmsRevisionType } from '../schema/sms-revision.ts';
import { badInput, notFound } from './errors.ts';
import { asBuyer } from './guard.ts';
import { openStream } from './open-stream.ts';
import { cursorAt, type List, positionAt } from './page.ts';

/** The stream of all orders, by the sequence in which messages were accepted; before the first is 0. */
const messageList: List<number> = {
  name: 'messages',
  valuesOf: (sequence) => [sequence],
  positionOf: ([sequence]) => (typeof sequence === 'number' ? sequence : null),
};

builder.subscriptionField('smsReceived', (t) =>
  t.field({
    type: SmsRevisionType,
    description:
      "Every message newer than afterRevision, each exactly once and in rising order, those already stored first. Without orderId: of all the caller's orders, in the order of their acceptance, without end. With orderId it completes when the order has reached a terminal status and its last message has been sent; NOT_FOUND for another's order as for none. After a broken connection, resume with the last revision (one order) or the last cursor (all).",
    args: {
      orderId: t.arg.id({
        description: "Only this order's messages; left out: those of all the caller's orders.",
      }),
      afterRevision: t.arg.int({
        required: true,
        defaultValue: NO_REVISION,
        description:
          'Only revisions above this; -1: all. One that lies ahead of what has come is waited for. Revisions count within one order: without orderId, resume by after instead.',
      }),
      after: t.arg.string({
        description:
          'Without orderId: the cursor of the last message you had; only what was accepted after it follows. Left out: from the first message kept.',
      }),
    },
    subscribe: asBuyer(async (_root, args, context) => {
      const { deps, visibility } = context;
      const { orderId, after, afterRevision: revision } = args;
      if (revision < NO_REVISION) throw badInput('afterRevision', `${NO_REVISION} or more`);
      if (orderId === null || orderId === undefined) {
        const sequence = positionAt(context, messageList, null, after) ?? 0;
        return openStream(
          context,
          'smsReceived',
          followAllMessages(deps, visibility, { revision, sequence }),
        );
      }
      if (typeof after === 'string')
        throw badInput('after', 'left out with orderId: resume by afterRevision');
      const id = parseOrderIdText(orderId);
      const source = id === null ? null : await followMessages(deps, visibility, id, revision);
      if (source === null) throw notFound('order');
      return openStream(context, 'smsReceived', source);
    }),
    resolve: (message: SmsRevision) => message,
  }),
);

builder.objectField(SmsRevisionType, 'order', (t) =>
  t.field({
    type: OrderType,
    description: 'The order that it came for, as it stands now.',
    resolve: async ({ orderId }, _args, { loaders }) => {
      const order = await loaders.orders.load(orderId);
      if (order === null) throw new Error('a message is visible whose order is not');
      return order;
    },
  }),
);

builder.objectField(SmsRevisionType, 'cursor', (t) =>
  t.string({
    description:
      "The message's place among all of the caller's: pass it to smsReceived as after, to resume there.",
    resolve: ({ sequence }, _args, context) => cursorAt(context, messageList, null, sequence),
  }),
);

builder.objectField(OrderType, 'smsRevisions', (t) =>
  t.field({
    type: [SmsRevisionType],
    description: 'All accepted messages, oldest first.',
    resolve: ({ id }, _args, { loaders }) => loaders.messages.load(id),
  }),
);
