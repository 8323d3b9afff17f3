import type { CatalogProductId, CountryId, OperatorId, PlatformId, ProductId } from '../ids.ts';
import type { Rupiah } from '../money.ts';
import type { Instant } from '../time.ts';

/** One tier of the catalog as last read. The provider may leave out all but id, stock, price and activity. */
export interface Product {
  readonly id: ProductId;
  readonly catalogProductId: CatalogProductId | null;
  readonly name: string | null;
  readonly countryId: CountryId | null;
  readonly platformId: PlatformId | null;
  readonly operatorId: OperatorId | null;
  readonly operatorName: string | null;
  readonly available: number;
  readonly price: Rupiah;
  readonly active: boolean;
  /** When the page that held it was read. */
  readonly asOf: Instant;
}

export interface Country {
  readonly id: CountryId;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly code: string | null;
  readonly name: string;
  /** Digits, no plus sign. */
  readonly dialCode: string | null;
  readonly emoji: string | null;
  readonly active: boolean;
}

export interface Platform {
  readonly id: PlatformId;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
}

export interface Operator {
  /** Null: any operator. */
  readonly operatorId: OperatorId | null;
  readonly code: string;
  readonly name: string | null;
  readonly localName: string | null;
}

export interface ExchangeRate {
  readonly pair: string;
  readonly base: string;
  readonly quote: string;
  /** Whole units of quote for one of base. */
  readonly rate: Rupiah;
  readonly asOf: Instant;
}

/** Active, in stock, and with a stable id to order by. */
export function isOrderable(product: Product): boolean {
  return product.active && product.available > 0 && product.catalogProductId !== null;
}

/** The cheapest orderable of tiers that share a stable id; else the cheapest of them; null of none. */
export function cheapest(tiers: readonly Product[]): Product | null {
  let best: Product | null = null;
  for (const tier of tiers) {
    if (best === null || isBetter(tier, best)) best = tier;
  }
  return best;
}

function isBetter(a: Product, b: Product): boolean {
  const orderable = isOrderable(a);
  if (orderable !== isOrderable(b)) return orderable;
  return a.price !== b.price ? a.price < b.price : a.id < b.id;
}
