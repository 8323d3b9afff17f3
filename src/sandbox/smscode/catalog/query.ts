import type { Catalog } from './generate.ts';
import type { Operator } from './operators.ts';
import type { Service } from './services.ts';
import type { Stock } from './stock.ts';

export type TierFilter = {
  readonly countryId: number | null;
  readonly platformId: number | null;
  /** null: tiers without operator only (reference, 14). */
  readonly operatorId: number | null;
};

export type TierSort = (typeof TIER_SORTS)[number];

export const TIER_SORTS = [
  'price_asc',
  'price_desc',
  'available_asc',
  'available_desc',
  'name_asc',
  'name_desc',
] as const;

/** Answers about what is on offer now: tiers that are active and in stock. */
export type CatalogQueries = {
  /** Numbers of the tiers that fit, sorted; equals by id. */
  tiers(filter: TierFilter, sort: TierSort): number[];
  services(countryId: number | null): Service[];
  /** With stock, and whether tiers without operator have some, too. */
  operators(countryId: number, platformId: number): { readonly any: boolean; readonly operators: Operator[] };
};

/** Room for the tier's number under its sort value in one double. */
const NUMBERS = 2 ** 16;

export function createCatalogQueries(catalog: Catalog, stock: Stock): CatalogQueries {
  const { columns, countries, services, operators, size } = catalog;
  let ranks: Map<number, number> | null = null;

  function nameRank(at: number): number {
    ranks ??= rankPairs(catalog);
    return ranks.get(columns.pair[at] ?? 0) ?? 0;
  }

  /** Country and service by id, where given; -1, which no tier has, for an unknown one. */
  function* inStock(countryId: number | null, platformId: number | null): Generator<number> {
    const country = countryId === null ? null : countries.findIndex(({ id }) => id === countryId);
    const service = platformId === null ? null : services.findIndex(({ id }) => id === platformId);
    for (let at = 0; at < size; at++) {
      if (country !== null && columns.country[at] !== country) continue;
      if (service !== null && columns.service[at] !== service) continue;
      if (stock.available(at) > 0) yield at;
    }
  }

  return {
    tiers({ countryId, platformId, operatorId }, sort) {
      const operator = operatorId === null ? 0 : operators.findIndex(({ id }) => id === operatorId) + 1;
      if (operatorId !== null && operator === 0) return [];
      const value = sortValue(sort, stock, nameRank);
      const keys: number[] = [];
      for (const at of inStock(countryId, platformId)) {
        if (columns.operator[at] === operator) keys.push(value(at) * NUMBERS + at);
      }
      return [...Float64Array.from(keys).sort()].map((key) => ((key % NUMBERS) + NUMBERS) % NUMBERS);
    },
    services(countryId) {
      if (countryId === null) return [...services];
      const offered = new Set<number>();
      for (const at of inStock(countryId, null)) offered.add(columns.service[at] ?? -1);
      return services.filter((_, at) => offered.has(at));
    },
    operators(countryId, platformId) {
      const found = new Set<number>();
      for (const at of inStock(countryId, platformId)) found.add(columns.operator[at] ?? 0);
      return { any: found.has(0), operators: operators.filter((_, at) => found.has(at + 1)) };
    },
  };
}

function sortValue(sort: TierSort, stock: Stock, nameRank: (at: number) => number): (at: number) => number {
  switch (sort) {
    case 'price_asc':
      return stock.price;
    case 'price_desc':
      return (at) => -stock.price(at);
    case 'available_asc':
      return stock.available;
    case 'available_desc':
      return (at) => -stock.available(at);
    case 'name_asc':
      return nameRank;
    case 'name_desc':
      return (at) => -nameRank(at);
  }
}

/** The place of each pair's name among all of them. */
function rankPairs(catalog: Catalog): Map<number, number> {
  const names = new Map<number, string>();
  for (let at = 0; at < catalog.size; at++) {
    const pair = catalog.columns.pair[at] ?? 0;
    if (!names.has(pair)) names.set(pair, tierName(catalog, at));
  }
  const sorted = [...names].sort(([, one], [, other]) => (one < other ? -1 : 1));
  return new Map(sorted.map(([pair], rank) => [pair, rank]));
}

export function tierName(catalog: Catalog, at: number): string {
  const { service, country } = catalog.tier(at);
  return `${service.name} - ${country.name}`;
}
