import { expect } from 'vitest';
import { z } from 'zod';
import type { TestGateway } from './gateway.ts';

export const CREATE = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) {
    __typename
    attempt { state sends idempotencyKey }
    ... on CreateOrderResolved { failedCount orders { id amount status phoneNumber } }
    ... on CreateOrderNotSent { reason budget { limit spent reserved remaining } }
    ... on CreateOrderConflict { differing }
  }
}`;

export interface Bought {
  readonly id: string;
  readonly amount: number;
  readonly phoneNumber: string;
}

/** The cheapest product there is. */
export async function cheapest(gateway: TestGateway): Promise<number> {
  const { body } = await gateway.ask(
    '{ catalogProducts(filter: { orderable: true }, orderBy: { field: PRICE }, first: 1) { nodes { catalogProductId } } }',
  );
  return body.data.catalogProducts.nodes[0].catalogProductId;
}

/** Orders of that product, made by a job of the key's caller. */
export async function buy(
  gateway: TestGateway,
  catalogProductId: number,
  businessJobId: string,
  { key = gateway.key, quantity = 1 }: { readonly key?: string; readonly quantity?: number } = {},
): Promise<readonly Bought[]> {
  const { body } = await gateway.ask(CREATE, { input: { businessJobId, catalogProductId, quantity } }, key);
  expect(body.data.createOrder.__typename).toBe('CreateOrderResolved');
  return body.data.createOrder.orders;
}

export function sayTo(gateway: TestGateway, id: string, message: string): Promise<unknown> {
  return gateway.control('sms', { order_id: Number(id), message });
}

const ledgerSchema = z.object({
  balance: z.int(),
  charges: z.array(z.object({ order_id: z.int(), amount: z.int(), idempotency_key: z.string().nullable() })),
  requests: z.array(z.object({ method: z.string(), path: z.string(), body: z.unknown() })),
});

export async function ledgerOf(gateway: TestGateway): Promise<z.output<typeof ledgerSchema>> {
  return ledgerSchema.parse(await gateway.control('ledger'));
}

/** How often a POST has come in at that path, of that order where one is named. */
export async function postsTo(gateway: TestGateway, path: string, orderId?: string): Promise<number> {
  const { requests } = await ledgerOf(gateway);
  const isOf = (body: unknown): boolean =>
    orderId === undefined || JSON.stringify(body).includes(`"id":${orderId}`);
  return requests.filter(
    (request) => request.method === 'POST' && request.path === path && isOf(request.body),
  ).length;
}

/** An operation upstream that is refused with the provider's exact failure shape. */
export function refuse(gateway: TestGateway, path: string, status: number, code: string): Promise<unknown> {
  const body = { success: false, error: { code, message: 'refused' } };
  return gateway.control('faults', { kind: 'status', status, body, match: { path } });
}
