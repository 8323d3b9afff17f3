import { z } from 'zod';
import { orderFacts } from './order.ts';

const delivered = z.object({
  kind: z.literal('delivered'),
  at: z.int(),
  request: z.int(),
  order: z.string(),
  /** What the delivery says about its order: closed, or something is still owed. */
  status: z.enum(['completed', 'partial']),
  /** Those that were stored. */
  lines: z.array(z.string()),
  /** null, of both: the call left what was set. */
  externalId: z.string().nullable(),
  externalPrice: z.union([z.string(), z.number()]).nullable(),
});

/** What happened to the supplier's orders: the journal's content. Instants are epoch milliseconds. */
export const supplierEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ordered'), order: orderFacts }),
  z.object({ kind: z.literal('claimed'), at: z.int(), request: z.int(), orders: z.array(z.string()) }),
  z.object({ kind: z.literal('leased'), order: z.string(), lastProcessTime: z.int().nullable() }),
  delivered,
]);

export type SupplierEvent = z.output<typeof supplierEvent>;
export type DeliveredEvent = z.output<typeof delivered>;
