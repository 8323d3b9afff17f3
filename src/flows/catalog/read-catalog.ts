import { buildCatalog, type Catalog } from '../../domain/catalog/catalog.ts';
import type { Country, ExchangeRate, Operator, Platform, Product } from '../../domain/catalog/product.ts';
import { productAt } from '../../domain/catalog/select.ts';
import type { CatalogProductId, CountryId, PlatformId } from '../../domain/ids.ts';
import type { Offer } from '../../domain/orders/admit-create.ts';
import { HOUR, type Instant, MINUTE } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { NumbersApi, ReadReply } from '../../ports/numbers-api.ts';
import type { SeenProducts } from '../../ports/store/catalog.ts';
import { createSingleFlight } from '../single-flight.ts';
import { createFreshest } from './freshest.ts';

/** Names of countries and platforms seldom change. */
const LABELS_MAX_AGE = HOUR;
const OPERATORS_MAX_AGE = 5 * MINUTE;
const RATE_MAX_AGE = MINUTE;
/** Pairs of country and platform whose services, operators or tiers are kept apart from the whole. */
const MOST_KEPT = 2_000;

/** The catalog as the gateway knows it, never older than asked for; askers at the same time share one reading. */
export interface CatalogReader {
  /** The whole catalog, at most CATALOG_MAX_AGE_SECONDS old; read upstream first with `refresh`. */
  whole(refresh: boolean): Promise<ReadReply<Catalog>>;
  /** All there is to know of a stable id, at most `maxAge` milliseconds old: what a paid create is judged by. */
  offer(id: CatalogProductId, maxAge: number): Promise<ReadReply<Offer>>;
  countries(): Promise<ReadReply<readonly Country[]>>;
  services(countryId: CountryId | null): Promise<ReadReply<readonly Platform[]>>;
  operators(countryId: CountryId, platformId: PlatformId): Promise<ReadReply<readonly Operator[]>>;
  exchangeRate(pair: string): Promise<ReadReply<ExchangeRate>>;
  /** The last whole catalog, whatever its age, without reading anything; null before the first. For labels. */
  lastKnown(): Catalog | null;
}

export function createCatalogReader(deps: {
  readonly numbers: NumbersApi;
  readonly seen: SeenProducts;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxAge: number;
}): CatalogReader {
  const { numbers, seen, clock } = deps;
  let last: Catalog | null = null;

  const countries = createFreshest<'all', readonly Country[]>(clock, 1);
  const services = createFreshest<CountryId | null, readonly Platform[]>(clock, MOST_KEPT);
  const operators = createFreshest<string, readonly Operator[]>(clock, MOST_KEPT);
  const rates = createFreshest<string, ExchangeRate>(clock, MOST_KEPT);
  const coordinates = createFreshest<string, readonly Product[]>(clock, MOST_KEPT);
  const share = createSingleFlight<'whole', ReadReply<Catalog>>();

  const readCountries = (): Promise<ReadReply<readonly Country[]>> =>
    countries('all', LABELS_MAX_AGE, () => numbers.countries());
  const readServices = (countryId: CountryId | null): Promise<ReadReply<readonly Platform[]>> =>
    services(countryId, countryId === null ? LABELS_MAX_AGE : deps.maxAge, () => numbers.services(countryId));

  const remember = (products: readonly Product[]): Promise<void> =>
    seen.remember(products).catch((error: unknown) => {
      deps.log.error('listed products could not be remembered', {}, error);
    });

  const readWhole = (): Promise<ReadReply<Catalog>> =>
    share('whole', async () => {
      const [products, countryList, platformList] = await Promise.all([
        numbers.products(null),
        readCountries(),
        readServices(null),
      ]);
      if (products.kind !== 'read') return products;
      // Labels are a courtesy: the catalog is worth having without them.
      const labels = countryList.kind === 'read' ? countryList.value : [...(last?.countries.values() ?? [])];
      const platforms =
        platformList.kind === 'read' ? platformList.value : [...(last?.platforms.values() ?? [])];
      last = buildCatalog(products.value, labels, platforms, products.readAt);
      void remember(products.value);
      return { kind: 'read', value: last, readAt: products.readAt };
    });

  const whole = async (refresh: boolean, maxAge: number): Promise<ReadReply<Catalog>> => {
    if (!refresh && last !== null && isWithin(clock.now(), last.asOf, maxAge)) {
      return { kind: 'read', value: last, readAt: last.asOf };
    }
    return readWhole();
  };

  return {
    whole: (refresh) => whole(refresh, deps.maxAge),
    async offer(id, maxAge) {
      const known = await coordinatesOf(id);
      if (known === null) {
        // Never seen: only a fresh reading of everything can tell that it is not listed.
        const all = await whole(false, maxAge);
        return all.kind === 'read' ? { ...all, value: offerFrom(tiersIn(all.value, id), null) } : all;
      }
      if (last !== null && isWithin(clock.now(), last.asOf, maxAge)) {
        return { kind: 'read', value: offerFrom(tiersIn(last, id), known), readAt: last.asOf };
      }
      const { countryId, platformId } = known;
      if (countryId === null || platformId === null) {
        const all = await whole(false, maxAge);
        return all.kind === 'read' ? { ...all, value: offerFrom(tiersIn(all.value, id), known) } : all;
      }
      const fresh = await coordinates(`${countryId}/${platformId}`, maxAge, () =>
        numbers.products({ countryId, platformId }),
      );
      if (fresh.kind !== 'read') return fresh;
      const tiers = fresh.value.filter((product) => product.catalogProductId === id);
      return { ...fresh, value: offerFrom(tiers, known) };
    },
    countries: readCountries,
    services: readServices,
    operators: (countryId, platformId) =>
      operators(`${countryId}/${platformId}`, OPERATORS_MAX_AGE, () =>
        numbers.operators(countryId, platformId),
      ),
    exchangeRate: (pair) => rates(pair, RATE_MAX_AGE, () => numbers.exchangeRate(pair)),
    lastKnown: () => last,
  };

  /** A tier of the id as last seen, in this process or ever. */
  async function coordinatesOf(id: CatalogProductId): Promise<Product | null> {
    const listed = last === null ? undefined : tiersIn(last, id)[0];
    if (listed !== undefined) return listed;
    return (await seen.ofCatalogProduct(id))[0] ?? null;
  }
}

function tiersIn(catalog: Catalog, id: CatalogProductId): readonly Product[] {
  return (catalog.rowsOf.get(id) ?? []).map((row) => productAt(catalog, row));
}

function offerFrom(tiers: readonly Product[], lastKnown: Product | null): Offer {
  return { tiers, lastKnown: tiers[0] ?? lastKnown };
}

function isWithin(now: Instant, asOf: Instant, maxAge: number): boolean {
  const age = now - asOf;
  // A clock set back makes ages negative: such a reading is of unknown age.
  return age >= 0 && age <= maxAge;
}
