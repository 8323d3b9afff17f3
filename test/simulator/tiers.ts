import type { Product } from '../../src/domain/catalog/product.ts';
import { rupiah } from '../../src/domain/money.ts';
import { type Catalog, catalogOf, type Tier } from '../../src/sandbox/smscode/catalog/generate.ts';
import { SANDBOX_SEED } from '../support/sandbox-names.ts';
import { aProduct, catalogProductId, must, productId } from '../support/values.ts';

let listed: readonly Product[] | null = null;

/** What jobs order, the cheapest tier first. Made once: to make the catalog takes longer than many a history. */
export function tiersToOrder(): readonly Product[] {
  listed ??= listedTiers(catalogOf(SANDBOX_SEED));
  return listed;
}

/** Telegram in Indonesia, there with every seed, as the list tells it without being asked for an operator. */
function listedTiers(catalog: Catalog): readonly Product[] {
  const all = Array.from({ length: catalog.size }, (_, at) => catalog.tier(at));
  const one = must(all.find(({ country, service }) => country.id === 6 && service.id === 1));
  return catalog
    .tiersOf(one.catalogProductId)
    .map((at) => catalog.tier(at))
    .filter(({ operator }) => operator === null)
    .map(toProduct)
    .sort((a, b) => a.price - b.price);
}

function toProduct({ id, catalogProductId: stable, price, stock }: Tier): Product {
  return aProduct({
    id: productId(id),
    catalogProductId: catalogProductId(stable),
    price: rupiah(price),
    available: stock,
  });
}
