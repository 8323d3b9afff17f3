import { cheapest, type Product } from '../catalog/product.ts';
import { larger, parseRupiah, type Rupiah } from '../money.ts';
import type { Routing } from './attempt.ts';

export const MOST_ORDERS = 100;

export const notSentReasons = [
  'UNKNOWN_PRODUCT',
  'INACTIVE',
  'OUT_OF_STOCK',
  'PRICE_ABOVE_LIMIT',
  'BUDGET_EXCEEDED',
  'NOT_REACTIVATABLE',
  'QUOTE_UNAVAILABLE',
] as const;
export type NotSentReason = (typeof notSentReasons)[number];

/** What the catalog knows of a stable id, fresh enough for a paid create. */
export interface Offer {
  /** The tiers listed now. */
  readonly tiers: readonly Product[];
  /** A tier as it was when last listed; null when the id was never listed. */
  readonly lastKnown: Product | null;
}

export interface CreateWish {
  readonly quantity: number;
  readonly maxUnitPrice: Rupiah | null;
  readonly routing: Routing | null;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly reserve: Rupiah }
  | { readonly kind: 'not-sent'; readonly reason: NotSentReason; readonly product: Product | null };

/**
 * May a create be sent at all? Judged before its first send alone: afterwards the result stands. The reserve is the
 * quantity times the bound that is sent along, or the dearest current tier where none is (gateway.md, promise 5).
 */
export function admitCreate(offer: Offer, wish: CreateWish): Admission {
  const { tiers } = offer;
  if (tiers.length === 0) {
    const reason = offer.lastKnown === null ? 'UNKNOWN_PRODUCT' : 'OUT_OF_STOCK';
    return { kind: 'not-sent', reason, product: offer.lastKnown };
  }
  const active = tiers.filter((tier) => tier.active);
  if (active.length === 0) return { kind: 'not-sent', reason: 'INACTIVE', product: cheapest(tiers) };
  const operatorId = wish.routing?.operatorId ?? null;
  const minPrice = wish.routing?.minPrice ?? null;
  const eligible = active.filter(
    (tier) =>
      (operatorId === null || tier.operatorId === operatorId) &&
      (minPrice === null || tier.price >= minPrice),
  );
  const inStock = eligible.filter((tier) => tier.available > 0);
  const stock = inStock.reduce((total, tier) => total + tier.available, 0);
  const best = cheapest(inStock);
  if (best === null || stock < wish.quantity) {
    return { kind: 'not-sent', reason: 'OUT_OF_STOCK', product: cheapest(eligible) ?? cheapest(tiers) };
  }
  if (wish.maxUnitPrice !== null && best.price > wish.maxUnitPrice) {
    return { kind: 'not-sent', reason: 'PRICE_ABOVE_LIMIT', product: best };
  }
  const bound = wish.maxUnitPrice ?? dearest(eligible, best.price);
  const reserve = parseRupiah(bound * wish.quantity);
  // A bound of a caller's making may be any safe integer: times a hundred, no budget could book it.
  if (reserve === null) return { kind: 'not-sent', reason: 'BUDGET_EXCEEDED', product: best };
  return { kind: 'admitted', reserve };
}

function dearest(tiers: readonly Product[], atLeast: Rupiah): Rupiah {
  return tiers.reduce((bound, tier) => larger(bound, tier.price), atLeast);
}
