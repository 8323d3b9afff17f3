import type { OrderId } from '../../domain/ids.ts';

/** Arrivals are locked by the part of the orders that an order is of: a batch of any size takes few locks. */
const PARTS = 64;

export function arrivalsOf(id: OrderId): number {
  return Math.abs(id % PARTS);
}
