import { invalid, type Refused, refused } from './answer.ts';
import type { Catalog, Tier } from './catalog/generate.ts';
import type { Stock } from './catalog/stock.ts';
import type { CreateRequest } from './requests.ts';

/** Numbers to be bought: one entry for each, its price as of now. */
export type Pick = { readonly at: number; readonly tier: Tier; readonly price: number };

export type Choice = { readonly kind: 'picked'; readonly picks: readonly Pick[] } | Refused;

const NO_OFFER = refused('NO_OFFER_AVAILABLE', 'Nothing on offer for that product under that policy');

/** The best offers for a create, at most its quantity; what is not to be had is missing at the end. */
export function choose(request: CreateRequest, catalog: Catalog, stock: Stock): Choice {
  if (request.kind === 'tier') {
    const at = catalog.numberOf(request.productId);
    return at === null ? invalid('product_id', 'is not known') : fill([at]);
  }
  const { minPrice, maxPrice, operatorId } = request;
  const fitting = catalog
    .tiersOf(request.catalogProductId)
    .filter((at) => minPrice === null || stock.price(at) >= minPrice)
    .filter((at) => maxPrice === null || stock.price(at) <= maxPrice)
    .filter((at) => operatorId === null || catalog.tier(at).operator?.id === operatorId);
  return fill(fitting.sort((one, other) => rank(one) - rank(other) || preferred(one) - preferred(other)));

  /** The lower the better. */
  function rank(at: number): number {
    return request.kind === 'routed' && request.policy === 'best_success'
      ? -catalog.tier(at).successRate
      : stock.price(at);
  }

  function preferred(at: number): number {
    return request.kind === 'routed' && catalog.tier(at).provider === request.preferProvider ? 0 : 1;
  }

  function fill(tiers: readonly number[]): Choice {
    const picks = tiers
      .flatMap((at) => new Array<number>(Math.min(stock.available(at), request.quantity)).fill(at))
      .slice(0, request.quantity)
      .map((at) => ({ at, tier: catalog.tier(at), price: stock.price(at) }));
    return picks.length === 0 ? NO_OFFER : { kind: 'picked', picks };
  }
}
