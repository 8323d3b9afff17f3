import { productAt } from '../domain/catalog/select.ts';
import { parseBusinessJobId, parseOrderId, parseOrderIdText } from '../domain/ids.ts';
import type { Order } from '../domain/orders/order.ts';
import { instant } from '../domain/time.ts';
import { followOrder } from '../flows/orders/follow-order.ts';
import { readOrder } from '../flows/orders/read-order.ts';
import type { OrderPosition, OrderQuery } from '../ports/store/orders.ts';
import { CreateAttemptType } from '../schema/attempt.ts';
import { builder } from '../schema/builder.ts';
import { CatalogProductType } from '../schema/catalog.ts';
import { OrderConnectionType, OrderFilterType, OrderType } from '../schema/order.ts';
import { notFound, orBadInput } from './errors.ts';
import { asBuyer } from './guard.ts';
import { openStream } from './open-stream.ts';
import { DEFAULT_FIRST, type List, storedPage } from './page.ts';
import { upstreamError } from './upstream-error.ts';

builder.queryField('order', (t) =>
  t.field({
    type: OrderType,
    nullable: true,
    description:
      "One of the caller's own orders (an operator: anyone's); null when there is none such. As last read, by a poll or webhook.",
    args: {
      id: t.arg.id({ required: true, description: 'Order.id.' }),
      refresh: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'true: read upstream first.',
      }),
    },
    resolve: asBuyer(async (_root, args, { deps, visibility }) => {
      const id = parseOrderIdText(args.id);
      if (id === null) return null;
      const read = await readOrder(deps, visibility, id, args.refresh);
      if (read.kind === 'fault') throw upstreamError(read.fault);
      return read.kind === 'order' ? read.order : null;
    }),
  }),
);

const orderList: List<OrderPosition> = {
  name: 'orders',
  valuesOf: ({ createdAt, id }) => [createdAt, id],
  positionOf([createdAt, id]) {
    const order = parseOrderId(id);
    return order === null || typeof createdAt !== 'number'
      ? null
      : { createdAt: instant(createdAt), id: order };
  },
};

builder.queryField('orders', (t) =>
  t.field({
    type: OrderConnectionType,
    description:
      "The caller's own orders (an operator's: all, those made elsewhere on the account included), newest first.",
    args: {
      filter: t.arg({ type: OrderFilterType, description: 'Which orders; left out: all.' }),
      first: t.arg.int({ defaultValue: DEFAULT_FIRST, description: 'How many at most, 1 to 100.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the newest.' }),
    },
    resolve: asBuyer((_root, args, context) => {
      const query = queryOf(args.filter ?? {});
      return storedPage(context, orderList, query, args, (request) =>
        context.deps.store.orders.page(context.visibility, query, request),
      );
    }),
  }),
);

function queryOf(asked: typeof OrderFilterType.$inferInput): OrderQuery {
  const { businessJobId, phoneNumber } = asked;
  return {
    statuses: asked.statuses ?? null,
    businessJobId:
      typeof businessJobId === 'string'
        ? orBadInput(parseBusinessJobId(businessJobId), 'businessJobId', '1 to 200 characters of plain text')
        : null,
    phoneNumber:
      typeof phoneNumber === 'string'
        ? orBadInput(parsePhoneNumber(phoneNumber), 'phoneNumber', '1 to 40 printable ASCII characters')
        : null,
    createdFrom: asked.createdFrom ?? null,
    createdTo: asked.createdTo ?? null,
  };
}

/** Not what a number looks like, which is the provider's to say; only what no database takes amiss. */
function parsePhoneNumber(text: string): string | null {
  return /^[\x20-\x7e]{1,40}$/.test(text) ? text : null;
}

builder.subscriptionField('orderChanged', (t) =>
  t.field({
    type: OrderType,
    description:
      "The order as it stands, then as it was at each change of its status or of what may be done with it, none left out. Completes once its status is terminal. NOT_FOUND for another's order as for none.",
    args: { orderId: t.arg.id({ required: true, description: 'Order.id.' }) },
    subscribe: asBuyer(async (_root, { orderId }, context) => {
      const id = parseOrderIdText(orderId);
      const source = id === null ? null : await followOrder(context.deps, context.visibility, id);
      if (source === null) throw notFound('order');
      return openStream(context, 'orderChanged', source);
    }),
    resolve: (order: Order) => order,
  }),
);

builder.objectField(OrderType, 'product', (t) =>
  t.field({
    type: CatalogProductType,
    nullable: true,
    description:
      'The tier that was taken, as listed now, or as last seen (see its asOf: its price may be old). Null where it was never listed while the gateway looked.',
    resolve: ({ productId }, _args, { deps, loaders }) => {
      if (productId === null) return null;
      const catalog = deps.catalog.lastKnown();
      const row = catalog?.rowOf.get(productId);
      return catalog === null || row === undefined
        ? loaders.seenProducts.load(productId)
        : productAt(catalog, row);
    },
  }),
);

builder.objectField(OrderType, 'attempt', (t) =>
  t.field({
    type: CreateAttemptType,
    nullable: true,
    description: 'The create attempt that made it; null for an order made elsewhere on the account.',
    resolve: ({ attemptId }, _args, { loaders }) =>
      attemptId === null ? null : loaders.attempts.load(attemptId),
  }),
);

builder.objectField(OrderType, 'reactivatedFrom', (t) =>
  t.field({
    type: OrderType,
    nullable: true,
    description: 'The completed order that this one reactivated; null where it is no reactivation.',
    resolve: ({ reactivatedFromId }, _args, { loaders }) =>
      reactivatedFromId === null ? null : loaders.orders.load(reactivatedFromId),
  }),
);
