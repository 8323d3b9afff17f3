import { z } from 'zod';
import { foldLine } from './lines.ts';

/** Order states; `partial` is none of them, it is a state of the money. */
export const orderStatuses = ['pending', 'processing', 'completed', 'refunded', 'error'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** States of the money; `completed` and `partial` (some of it went back) are live work. */
export const paymentStatuses = [
  'pending',
  'completed',
  'failed',
  'refunded',
  'processing',
  'partial',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const productTypes = ['manual', 'inventory', 'auto'] as const;
export type ProductType = (typeof productTypes)[number];

/** How an order is shown as if the provider's shape had moved on: a client must live with each of them. */
export const oddities = ['absent', 'null', 'extra', 'newer'] as const;

/** What is fixed when a buyer orders. */
export const orderFacts = z.object({
  id: z.string(),
  quantity: z.int(),
  paymentStatus: z.enum(paymentStatuses),
  productType: z.enum(productTypes),
  entityType: z.string().nullable(),
  subCategory: z.string().nullable(),
  /** Epoch milliseconds. */
  createdAt: z.int(),
  /** No line of this supplier's is in it: every write to it is refused with ACCESS_DENIED. */
  foreign: z.boolean(),
  oddity: z.enum(oddities).nullable(),
});
export type OrderFacts = z.output<typeof orderFacts>;

/** The order as the provider keeps it now. */
export type OrderRecord = {
  readonly facts: OrderFacts;
  status: OrderStatus;
  /** Epoch milliseconds. */
  lastProcessTime: number | null;
  externalId: string | null;
  externalPrice: string | number | null;
  readonly lines: string[];
  readonly folded: Set<string>;
};

/** How long lastProcessTime hides an order from both list calls: thirty minutes (contract: "Reading"). */
const LEASE_MS = 30 * 60_000;

/**
 * True while both list calls leave the order out. A lastProcessTime ahead of now hides too, until thirty minutes
 * after it; exactly thirty minutes old no longer hides.
 */
export function isLeased(order: OrderRecord, now: number): boolean {
  return order.lastProcessTime !== null && now < order.lastProcessTime + LEASE_MS;
}

/** True when the money is there, wholly or in part: only then may an order be claimed or delivered. */
export function isPaid(facts: OrderFacts): boolean {
  return facts.paymentStatus === 'completed' || facts.paymentStatus === 'partial';
}

/** A new order's record: nothing delivered, no lease. */
export function newRecord(facts: OrderFacts): OrderRecord {
  return {
    facts,
    status: firstStatus(facts.paymentStatus),
    lastProcessTime: null,
    externalId: null,
    externalPrice: null,
    lines: [],
    folded: new Set(),
  };
}

/** Adds lines that `freshLines` let through. */
export function storeLines(order: OrderRecord, lines: readonly string[]): void {
  for (const line of lines) {
    order.lines.push(line);
    order.folded.add(foldLine(line));
  }
}

/** Money that failed or went back leaves nothing to work on from the start. */
function firstStatus(paymentStatus: PaymentStatus): OrderStatus {
  switch (paymentStatus) {
    case 'refunded':
      return 'refunded';
    case 'failed':
      return 'error';
    case 'pending':
    case 'processing':
    case 'completed':
    case 'partial':
      return 'pending';
  }
}
