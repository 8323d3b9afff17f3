import { parseSupplierOrderId, type SupplierOrderId } from '../domain/ids.ts';
import { leasedUntil } from '../domain/supplier/lease.ts';
import type { SupplierOrder } from '../domain/supplier/order.ts';
import type { Deps } from '../flows/deps.ts';
import { type ClaimsFrom, followClaims } from '../flows/supplier/follow-claims.ts';
import { type LeaseResult, leaseOrder, releaseOrder } from '../flows/supplier/lease-order.ts';
import { type ListPlace, listOrders } from '../flows/supplier/list-orders.ts';
import { MOST_PULLED, pullOrders } from '../flows/supplier/pull-orders.ts';
import type { SupplierOrderQuery } from '../ports/supplier-api.ts';
import { builder } from '../schema/builder.ts';
import { SupplierDeliveryType } from '../schema/supplier-delivery.ts';
import {
  SupplierOrderConnectionType,
  SupplierOrderFilterType,
  SupplierOrderType,
} from '../schema/supplier-order.ts';
import { badInput, notFound } from './errors.ts';
import { asSupplier } from './guard.ts';
import { openStream } from './open-stream.ts';
import { cursorAt, firstOf, type List, positionAt } from './page.ts';
import { supplierError } from './upstream-error.ts';

const MOST_FIRST = 500;
const DEFAULT_FIRST = 100;

const orderIdDescription = 'SupplierOrder.id.';

builder.queryField('supplierOrder', (t) =>
  t.field({
    type: SupplierOrderType,
    nullable: true,
    description:
      'One supplier order as this gateway knows it, by a claim or a listing; null when it has never seen it.',
    args: { id: t.arg.id({ required: true, description: orderIdDescription }) },
    resolve: asSupplier(async (_root, args, { deps }) => {
      const id = parseSupplierOrderId(args.id);
      return id === null ? null : deps.store.supplier.find(id);
    }),
  }),
);

/** Positions: the offset, then the ids that stood before it. */
const supplierOrderList: List<ListPlace> = {
  name: 'supplierOrders',
  valuesOf: ({ offset, before }) => [offset, ...before],
  positionOf([offset, ...ids]) {
    const before: SupplierOrderId[] = [];
    for (const text of ids) {
      const id = parseSupplierOrderId(text);
      if (id === null) return null;
      before.push(id);
    }
    return typeof offset === 'number' ? { offset, before } : null;
  },
};

builder.queryField('supplierOrders', (t) =>
  t.field({
    type: SupplierOrderConnectionType,
    description:
      'Reads matching orders and changes nothing: for reconciling and dashboards. Nobody works from it: work is claimed by pullSupplierOrders alone. Orders under a lease are left out.',
    args: {
      filter: t.arg({ type: SupplierOrderFilterType, description: 'Which orders; left out: all.' }),
      first: t.arg.int({ defaultValue: DEFAULT_FIRST, description: 'How many at most, 1 to 500.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the beginning.' }),
    },
    resolve: asSupplier(async (_root, args, context) => {
      const query = queryOf(args.filter ?? {});
      const first = firstOf(args, { otherwise: DEFAULT_FIRST, most: MOST_FIRST });
      const after = positionAt(context, supplierOrderList, query, args.after);
      const listed = await listOrders(context.deps, query, first, after);
      if (listed.kind === 'fault') throw supplierError(listed.fault);
      return {
        edges: listed.orders.map(({ order, place }) => ({
          node: order,
          cursor: () => cursorAt(context, supplierOrderList, query, place),
        })),
        hasNextPage: listed.hasNext,
        hasPreviousPage: after !== null,
      };
    }),
  }),
);

function queryOf(asked: typeof SupplierOrderFilterType.$inferInput): SupplierOrderQuery {
  return {
    statuses: known(asked.statuses, 'statuses'),
    paymentStatuses: known(asked.paymentStatuses, 'paymentStatuses'),
    productTypes: known(asked.productTypes, 'productTypes'),
    entityType: textOf(asked.entityType, 'entityType'),
    subCategory: textOf(asked.subCategory, 'subCategory'),
    createdFrom: asked.createdFrom ?? null,
    createdTo: asked.createdTo ?? null,
  };
}

function known<Value extends string>(
  asked: readonly Value[] | null | undefined,
  field: string,
): readonly Exclude<Value, 'UNKNOWN'>[] | null {
  if (asked === null || asked === undefined) return null;
  if (asked.length === 0) throw badInput(field, 'one value at least, or left out');
  return asked.map((value) => {
    if (isKnown(value)) return value;
    throw badInput(field, 'values to ask for; UNKNOWN is none');
  });
}

function isKnown<Value extends string>(value: Value): value is Exclude<Value, 'UNKNOWN'> {
  return value !== 'UNKNOWN';
}

function textOf(asked: string | null | undefined, field: string): string | null {
  if (asked === null || asked === undefined) return null;
  if (!/^[^\p{Cc}]{1,100}$/u.test(asked) || !asked.isWellFormed())
    throw badInput(field, '1 to 100 characters');
  return asked;
}

builder.mutationField('pullSupplierOrders', (t) =>
  t.field({
    type: [SupplierOrderType],
    description:
      'Claims pending manual orders, oldest first, and returns only those whose change really happened: nobody else gets them.',
    args: {
      limit: t.arg.int({ required: true, defaultValue: 100, description: 'How many at most, 1 to 500.' }),
    },
    resolve: asSupplier(async (_root, { limit }, { by, deps }) => {
      if (limit < 1 || limit > MOST_PULLED) throw badInput('limit', `1 to ${MOST_PULLED}`);
      const pulled = await pullOrders(deps, by, limit);
      if (pulled.kind === 'fault') throw supplierError(pulled.fault);
      return pulled.orders;
    }),
  }),
);

builder.mutationField('leaseSupplierOrder', (t) =>
  t.field({
    type: SupplierOrderType,
    description:
      'Hides the order from list calls for thirty minutes. A pull takes no lease: one that is taken here is renewed by the gateway every ten minutes while the order is claimed here and open, until it is released.',
    args: {
      orderId: t.arg.id({ required: true, description: orderIdDescription }),
      at: t.arg({ type: 'DateTime', description: 'When the thirty minutes begin; left out: now.' }),
    },
    resolve: asSupplier(async (_root, { orderId, at }, { by, deps }) => {
      const id = parseSupplierOrderId(orderId);
      return leasedOrThrow(id === null ? { kind: 'none' } : await leaseOrder(deps, id, at ?? null, by));
    }),
  }),
);

builder.mutationField('releaseSupplierOrder', (t) =>
  t.field({
    type: SupplierOrderType,
    description: 'Ends the lease at once, and its renewal.',
    args: { orderId: t.arg.id({ required: true, description: orderIdDescription }) },
    resolve: asSupplier(async (_root, { orderId }, { by, deps }) => {
      const id = parseSupplierOrderId(orderId);
      return leasedOrThrow(id === null ? { kind: 'none' } : await releaseOrder(deps, id, by));
    }),
  }),
);

function leasedOrThrow(result: LeaseResult): SupplierOrder {
  switch (result.kind) {
    case 'order':
      return result.order;
    case 'none':
      throw notFound('supplier order');
    case 'fault':
      throw supplierError(result.fault);
  }
}

const claimList: List<number> = {
  name: 'claims',
  valuesOf: (sequence) => [sequence],
  positionOf: ([sequence]) => (typeof sequence === 'number' ? sequence : null),
};

builder.subscriptionField('supplierOrderClaimed', (t) =>
  t.field({
    type: SupplierOrderType,
    description:
      "Orders as they are claimed, by a pull of the caller's or by the automatic puller (an operator's: by anyone). Does not end by itself.",
    args: {
      after: t.arg.string({
        description:
          'The claimCursor of the last order you had: what was claimed since comes first. Left out: only what is claimed from now on.',
      }),
      openFirst: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'true: without after, what was claimed before and is still open comes first. For a worker that has no cursor yet: it would else never hear of those.',
      }),
    },
    subscribe: asSupplier(async (_root, args, context) => {
      const { deps, visibility } = context;
      const asked = positionAt(context, claimList, null, args.after);
      const from = asked === null ? await withoutCursor(deps, args.openFirst) : { after: asked, openUpTo: 0 };
      return openStream(context, 'supplierOrderClaimed', followClaims(deps, visibility, from));
    }),
    resolve: (order: SupplierOrder) => order,
  }),
);

async function withoutCursor(deps: Deps, openFirst: boolean): Promise<ClaimsFrom> {
  const last = await deps.store.supplier.lastClaimSequence();
  return openFirst ? { after: 0, openUpTo: last } : { after: last, openUpTo: 0 };
}

builder.objectField(SupplierOrderType, 'claimCursor', (t) =>
  t.string({
    nullable: true,
    description:
      'Its place among the claims: pass it to supplierOrderClaimed as after, to resume there. Null where this gateway did not claim it.',
    resolve: ({ claimSequence }, _args, context) =>
      claimSequence === null ? null : cursorAt(context, claimList, null, claimSequence),
  }),
);

builder.objectField(SupplierOrderType, 'leasedUntil', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'Until when list calls leave the order out: lastProcessTime + 30 minutes. Null where that is past.',
    resolve: ({ lastProcessTime }, _args, { deps }) => leasedUntil(lastProcessTime, deps.clock.now()),
  }),
);

builder.objectField(SupplierOrderType, 'deliveries', (t) =>
  t.field({
    type: [SupplierDeliveryType],
    description: 'The deliveries that this gateway made on it, oldest first.',
    resolve: ({ id }, _args, { loaders }) => loaders.deliveries.load(id),
  }),
);
