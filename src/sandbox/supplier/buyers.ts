import { z } from 'zod';
import type { Agenda } from '../kernel/agenda.ts';
import type { Clock, Timer } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import { type OrderFacts, oddities, paymentStatuses, productTypes } from './order.ts';

/** POST /_sandbox/supplier-orders. `shape` is an addition of ours: how the list calls show the order. */
export const orderRequest = z.strictObject({
  quantity: z.int().min(1).max(100_000),
  paymentStatus: z.enum(paymentStatuses).default('completed'),
  productType: z.enum(productTypes).default('manual'),
  entityType: z.string().nullable().default('account'),
  subCategory: z.string().nullable().default('telegram'),
  foreign: z.boolean().default(false),
  shape: z.enum(['plain', ...oddities]).default('plain'),
});
export type OrderRequest = z.output<typeof orderRequest>;

/** The order that a request makes. Its id has the form of a document store's: second, chance, number; 24 hex digits. */
export function orderFrom(request: OrderRequest, now: number, number: number, random: Random): OrderFacts {
  const { shape, ...rest } = request;
  const second = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, '0');
  const counter = number.toString(16).padStart(6, '0');
  return {
    id: `${second}${random.text(10, '0123456789abcdef')}${counter}`,
    ...rest,
    createdAt: now,
    oddity: shape === 'plain' ? null : shape,
  };
}

const goods = [
  { entityType: 'account', subCategory: 'telegram' },
  { entityType: 'account', subCategory: 'gmail' },
  { entityType: 'account', subCategory: 'facebook' },
  { entityType: 'growth', subCategory: 'instagram-followers' },
] as const;

/** What a buyer who comes by himself orders: a few pieces, mostly manual and wholly paid, a share of them shown oddly. */
export function someRequest(random: Random, oddShare: number): OrderRequest {
  return {
    quantity: random.integer(1, 5),
    paymentStatus: random.chance(0.9) ? 'completed' : random.pick(['partial', 'pending']),
    productType: random.chance(0.9) ? 'manual' : random.pick(productTypes),
    ...random.pick(goods),
    foreign: false,
    shape: random.chance(oddShare) ? random.pick(oddities) : 'plain',
  };
}

export type Buyers = {
  /** Plans the next buyer anew, as the settings now say. */
  replan(): void;
};

type BuyersParts = {
  readonly clock: Clock;
  readonly agenda: Agenda;
  /** Until the next one comes; null: nobody does. */
  readonly waitMs: () => number | null;
  readonly order: () => void;
};

/** Lets `order` happen again and again. Nobody comes before the first `replan`. */
export function createBuyers({ clock, agenda, waitMs, order }: BuyersParts): Buyers {
  let planned: Timer | null = null;

  function replan(): void {
    planned?.cancel();
    const wait = waitMs();
    if (wait === null) return;
    // Counted from now, not from when the last one was due: a machine that slept is not flooded with what it missed.
    planned = agenda.at(clock.now() + wait, () => {
      order();
      replan();
    });
  }
  return { replan };
}
