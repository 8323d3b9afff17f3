import type { Delivery } from '../../../src/domain/supplier/delivery.ts';
import type { SupplierOrder } from '../../../src/domain/supplier/order.ts';
import { foldLine } from '../../../src/domain/supplier/plan.ts';
import type { PlatformOrder } from './platform.ts';

/** An order that the answer of a pull gave to a caller. */
export interface Handed {
  readonly order: string;
  readonly caller: string;
}

/** All that a history came to. */
export interface Facts {
  readonly orders: readonly PlatformOrder[];
  /** The orders of claims that took effect at the platform. */
  readonly claims: readonly string[];
  /** As the gateway keeps them. */
  readonly kept: readonly SupplierOrder[];
  readonly deliveries: readonly Delivery[];
  readonly handed: readonly Handed[];
  /** What each caller's followers of claims were told, in order. */
  readonly told: ReadonlyMap<string, readonly SupplierOrder[]>;
  /** Lines that the gateway has said it would store, and has had accepted, by order. */
  readonly promised: ReadonlyMap<string, readonly string[]>;
}

/** What must hold when everything has come to its end, and does not. */
export function judge(facts: Facts): readonly string[] {
  return [...claims(facts), ...handedOut(facts), ...lines(facts), ...pending(facts)];
}

/** Every claim that took effect is written down, and none that did not. */
function claims({ claims: made, kept }: Facts): string[] {
  const written = new Set<string>(kept.flatMap(({ id, claimedAt }) => (claimedAt === null ? [] : [id])));
  const real = new Set(made);
  return [
    ...made.filter((id) => !written.has(id)).map((id) => `the claim of ${id} is forgotten`),
    ...[...written].filter((id) => !real.has(id)).map((id) => `${id} was never claimed`),
    ...repeats(made).map((id) => `${id} was claimed twice`),
  ];
}

/** No order is handed to two, and each claim is told once, in turn, to whom it is for. */
function handedOut({ kept, handed, told }: Facts): string[] {
  const owners = new Map<string, string | null>(kept.map(({ id, claimedBy }) => [id, claimedBy]));
  const wrong = [
    ...repeats(handed.map(({ order }) => order)).map((id) => `${id} was handed out twice`),
    ...handed
      .filter(({ order, caller }) => owners.get(order) !== caller)
      .map(({ order, caller }) => `${order} was handed to ${caller}, it is ${owners.get(order)}'s`),
  ];
  for (const [caller, list] of told) {
    const mine = kept
      .filter(
        ({ claimedAt, claimedBy }) => claimedAt !== null && (claimedBy === null || claimedBy === caller),
      )
      .sort((a, b) => (a.claimSequence ?? 0) - (b.claimSequence ?? 0));
    const words = (orders: readonly SupplierOrder[]): string =>
      orders.map(({ id, claimSequence }) => `${claimSequence}:${id}`).join(' ');
    if (words(list) !== words(mine))
      wrong.push(`${caller} was told ${words(list)}, claimed is ${words(mine)}`);
  }
  return [
    ...wrong,
    ...repeats(kept.flatMap((one) => one.claimSequence ?? [])).map((n) => `claim ${n} is two`),
  ];
}

/** Each line once, never more than were ordered, completed exactly when full, and nothing that was promised is missing. */
function lines({ orders, kept, promised }: Facts): string[] {
  const wrong: string[] = [];
  for (const { id, quantity, status, foreign, lines: stored } of orders) {
    const own = kept.find((one) => one.id === id);
    const folded = stored.map(foldLine);
    if (stored.length > quantity) wrong.push(`${id} has ${stored.length} lines of ${quantity}`);
    wrong.push(...repeats(folded).map(() => `a line of ${id} is stored twice`));
    const isFull = stored.length === quantity;
    if ((status === 'completed') !== isFull)
      wrong.push(`${id} is ${status} with ${stored.length} of ${quantity}`);
    if (own === undefined) continue;
    if (own.claimedAt !== null && !foreign && !isFull) wrong.push(`${id} was claimed and is not delivered`);
    if ((own.status === 'COMPLETED') !== isFull) {
      wrong.push(`${id} is ${own.status} here with ${stored.length} of ${quantity}`);
    }
    if (own.deliveredCount !== stored.length) {
      wrong.push(`${own.deliveredCount} lines of ${id} are counted, ${stored.length} are stored`);
    }
    const words = (all: readonly string[]): string => [...all].sort().join(' ');
    if (words(promised.get(id) ?? []) !== words(stored)) {
      wrong.push(`of ${id} are stored ${words(stored)}, accepted were ${words(promised.get(id) ?? [])}`);
    }
  }
  return wrong;
}

/** Nothing is left pending, and never was anything beside what was. */
function pending({ deliveries }: Facts): string[] {
  return deliveries
    .filter(({ state }) => state === 'PENDING' || state === 'EXPIRED')
    .map(({ orderId, state }) => `a delivery on ${orderId} is ${state}`);
}

function repeats<Item>(items: readonly Item[]): readonly Item[] {
  return items.filter((item, at) => items.indexOf(item) !== at);
}
