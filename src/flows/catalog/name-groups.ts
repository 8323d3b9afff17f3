import { type Catalog, nameOf } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { parseCatalogProductId, parseCountryId, parseOperatorId, parsePlatformId } from '../../domain/ids.ts';
import type { StatisticsGroup } from '../../domain/orders/statistics.ts';
import type { Deps } from '../deps.ts';

/** Names for the keys that orders were counted by; null where the catalog does not tell. Never fails for want of a name. */
export async function nameGroups(
  deps: Deps,
  group: StatisticsGroup,
): Promise<(key: number) => string | null> {
  const catalog = deps.catalog.lastKnown() ?? (await firstCatalog(deps));
  if (catalog === null) return () => null;
  switch (group) {
    case 'COUNTRY':
      return (key) => lookUp(parseCountryId(key), catalog.countries)?.name ?? null;
    case 'PLATFORM':
      return (key) => lookUp(parsePlatformId(key), catalog.platforms)?.name ?? null;
    case 'OPERATOR': {
      const names = new Map<number, string>();
      for (const { operatorId, operatorName } of catalog.products) {
        if (operatorId !== null && operatorName !== null) names.set(operatorId, operatorName);
      }
      return (key) => lookUp(parseOperatorId(key), names) ?? null;
    }
    case 'PRODUCT':
      return (key) => {
        const row = lookUp(parseCatalogProductId(key), catalog.rowsOf)?.[0];
        const product: Product | undefined = row === undefined ? undefined : catalog.products[row];
        return product === undefined ? null : nameOf(product, catalog.countries, catalog.platforms);
      };
  }
}

async function firstCatalog(deps: Deps): Promise<Catalog | null> {
  const read = await deps.catalog.whole(false);
  return read.kind === 'read' ? read.value : null;
}

function lookUp<Key, Value>(key: Key | null, known: ReadonlyMap<Key, Value>): Value | undefined {
  return key === null ? undefined : known.get(key);
}
