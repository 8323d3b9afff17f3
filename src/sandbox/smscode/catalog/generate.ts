import { type Random, randomFrom } from '../../kernel/random.ts';
import { type Country, readCountries } from './countries.ts';
import { type Operator, readOperators } from './operators.ts';
import { makeServices, type Service } from './services.ts';

/** One orderable price: what the API calls a product. */
export type Tier = {
  readonly id: number;
  /** Shared by all tiers of one country and service. */
  readonly catalogProductId: number;
  readonly country: Country;
  readonly service: Service;
  readonly operator: Operator | null;
  /** The number supplier's code. */
  readonly provider: string;
  /** Whole rupiah. */
  readonly price: number;
  /** What it has when nothing was sold. */
  readonly stock: number;
  /** 0 to 100. */
  readonly successRate: number;
};

/** Tiers are held in columns: tens of thousands of them as objects would be what a sandbox mostly consists of. */
export type Catalog = {
  readonly countries: readonly Country[];
  readonly services: readonly Service[];
  readonly operators: readonly Operator[];
  readonly size: number;
  /** Tier numbers run from 0; an id is FIRST_TIER_ID + number. */
  tier(at: number): Tier;
  /** null where there is no such tier. */
  numberOf(tierId: number): number | null;
  /** The numbers of a catalog id's tiers; empty where there is none. */
  tiersOf(catalogProductId: number): readonly number[];
  readonly columns: Columns;
};

export type Columns = {
  /** Index into countries, services and pairs (a pair is one catalog id). */
  readonly country: Uint8Array;
  readonly service: Uint16Array;
  readonly pair: Uint16Array;
  /** Index into operators plus one; 0: none. */
  readonly operator: Uint8Array;
  readonly price: Int32Array;
  readonly stock: Uint16Array;
  readonly provider: Uint8Array;
  readonly successRate: Uint8Array;
};

/** Those that can give a number again after its order is completed come first. */
const PROVIDERS: readonly string[] = ['acme', 'boreal', 'cedar', 'delta', 'ember', 'fjord'];
const REACTIVATING_PROVIDERS = 4;

const FIRST_TIER_ID = 70_001;
const FIRST_CATALOG_ID = 5_001;
const MOST_TIERS = 60_000;

/** Never changes, so the sandboxes of a process with the same seed share one. */
export function catalogOf(seed: number): Catalog {
  if (last?.seed !== seed) last = { seed, catalog: generateCatalog(seed) };
  return last.catalog;
}

let last: { readonly seed: number; readonly catalog: Catalog } | null = null;

export function generateCatalog(seed: number): Catalog {
  const random = randomFrom(seed, 'catalog');
  const countries = readCountries();
  const operators = readOperators();
  const services = makeServices(random);
  const columns: Columns = {
    country: new Uint8Array(MOST_TIERS),
    service: new Uint16Array(MOST_TIERS),
    pair: new Uint16Array(MOST_TIERS),
    operator: new Uint8Array(MOST_TIERS),
    price: new Int32Array(MOST_TIERS),
    stock: new Uint16Array(MOST_TIERS),
    provider: new Uint8Array(MOST_TIERS),
    successRate: new Uint8Array(MOST_TIERS),
  };
  /** The first tier of each pair, and the end behind the last. */
  const starts: number[] = [0];
  let size = 0;

  countries.forEach((country, countryAt) => {
    const local = operators.flatMap((operator, at) =>
      operator.countryCode === country.code ? [at + 1] : [],
    );
    services.forEach((service, serviceAt) => {
      const offered = local.length > 0 ? Math.sqrt(service.popularity) : service.popularity * 0.6;
      if (!service.active || !random.chance(offered)) return;
      const base = basePrice(country, service, random);
      for (const operator of tierOperators(local, service, random)) {
        if (size >= MOST_TIERS) return;
        columns.country[size] = countryAt;
        columns.service[size] = serviceAt;
        columns.pair[size] = starts.length - 1;
        columns.operator[size] = operator;
        columns.price[size] = tierPrice(base, operator > 0, random);
        columns.stock[size] = 3 + Math.ceil((40 + 1500 * service.popularity) * random.fraction() ** 2);
        columns.provider[size] = random.integer(0, PROVIDERS.length - 1);
        columns.successRate[size] = random.integer(35, 98);
        size++;
      }
      starts.push(size);
    });
  });

  return {
    countries,
    services,
    operators,
    size,
    columns,
    tier(at) {
      const country = countries[columns.country[at] ?? -1];
      const service = services[columns.service[at] ?? -1];
      if (at >= size || country === undefined || service === undefined) throw new RangeError(`no tier ${at}`);
      return {
        id: FIRST_TIER_ID + at,
        catalogProductId: FIRST_CATALOG_ID + (columns.pair[at] ?? 0),
        country,
        service,
        operator: operators[(columns.operator[at] ?? 0) - 1] ?? null,
        provider: PROVIDERS[columns.provider[at] ?? 0] ?? '',
        price: columns.price[at] ?? 0,
        stock: columns.stock[at] ?? 0,
        successRate: columns.successRate[at] ?? 0,
      };
    },
    numberOf(tierId) {
      const at = tierId - FIRST_TIER_ID;
      return at >= 0 && at < size ? at : null;
    },
    tiersOf(catalogProductId) {
      const pair = catalogProductId - FIRST_CATALOG_ID;
      const [from, to] = [starts[pair], starts[pair + 1]];
      if (from === undefined || to === undefined) return [];
      return Array.from({ length: to - from }, (_, step) => from + step);
    },
  };
}

export function reactivates(provider: string): boolean {
  return PROVIDERS.indexOf(provider) < REACTIVATING_PROVIDERS;
}

/** Mostly a few thousand rupiah; dear countries and much-wanted services reach some tens of thousands. */
function basePrice(country: Country, service: Service, random: Random): number {
  return 2100 * country.priceLevel * (0.6 + 1.6 * service.popularity) * (0.7 + 0.9 * random.fraction());
}

/** Asking for an operator always costs more than taking any. */
function tierPrice(base: number, ofOperator: boolean, random: Random): number {
  const factor = ofOperator ? 1.75 + 0.5 * random.fraction() : 0.9 + 0.8 * random.fraction();
  return Math.max(500, Math.round((base * factor) / 50) * 50);
}

/** One entry per tier of a pair: 0, or an operator's column value. */
function tierOperators(local: readonly number[], service: Service, random: Random): number[] {
  const free = new Array<number>(random.integer(1, service.popularity > 0.3 ? 3 : 2)).fill(0);
  const chosen = service.popularity > 0.3 ? local.filter(() => random.chance(0.6)) : [];
  return [...free, ...chosen];
}
