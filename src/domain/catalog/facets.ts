import { at, type Catalog, NO_ID } from './catalog.ts';
import { productAt } from './select.ts';

/** What a picker shows of one country or platform. */
export interface Facet {
  readonly id: number;
  readonly label: string | null;
  /** Orderable tiers. */
  readonly products: number;
  /** Their stock together. */
  readonly available: number;
}

export interface Facets {
  readonly countries: readonly Facet[];
  readonly platforms: readonly Facet[];
}

/** The countries and platforms that have anything to order, by label. */
export function facetsOf(catalog: Catalog): Facets {
  return {
    countries: facets(
      catalog,
      catalog.countryIds,
      new Map([...catalog.countries].map(([id, { name }]) => [id, name])),
    ),
    platforms: facets(
      catalog,
      catalog.platformIds,
      new Map([...catalog.platforms].map(([id, { name }]) => [id, name])),
    ),
  };
}

function facets(catalog: Catalog, column: Int32Array, labels: ReadonlyMap<number, string>): readonly Facet[] {
  const found = new Map<number, { products: number; available: number }>();
  for (let row = 0; row < catalog.products.length; row++) {
    const id = at(column, row);
    if (id === NO_ID || catalog.orderable[row] !== 1) continue;
    const facet = found.get(id) ?? { products: 0, available: 0 };
    facet.products += 1;
    facet.available += productAt(catalog, row).available;
    found.set(id, facet);
  }
  return [...found]
    .map(([id, counts]) => ({ id, label: labels.get(id) ?? null, ...counts }))
    .sort((a, b) => (a.label ?? '').localeCompare(b.label ?? '', 'en') || a.id - b.id);
}
