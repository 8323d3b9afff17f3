import { buildCatalog, type Catalog } from '../../domain/catalog/catalog.ts';
import type { Country, ExchangeRate, Operator, Platform, Product } from '../../domain/catalog/product.ts';
import { productAt } from '../../domain/catalog/select.ts';
import type { CatalogProductId, CountryId, OperatorId, PlatformId, ProductId } from '../../domain/ids.ts';
import type { Offer } from '../../domain/orders/admit-create.ts';
import type { Routing } from '../../domain/orders/attempt.ts';
import { HOUR, type Instant, MINUTE } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { CatalogFilter, NumbersApi, ReadReply } from '../../ports/numbers-api.ts';
import type { SeenProducts } from '../../ports/store/catalog.ts';
import { createSingleFlight } from '../single-flight.ts';
import { createFreshest } from './freshest.ts';

/** Names of countries and platforms seldom change. */
const LABELS_MAX_AGE = HOUR;
const OPERATORS_MAX_AGE = 5 * MINUTE;
const RATE_MAX_AGE = MINUTE;
/** Countries, pairs of country and platform, and operators whose lists are kept apart from the whole. */
const MOST_KEPT = 2_000;
/** Catalogs made for a choice of operators: each is as large as the whole. */
const MOST_CATALOGS = 4;

const everything: CatalogFilter = { countryId: null, platformId: null, operatorId: null };

/** The catalog as the gateway knows it, never older than asked for; askers at the same time share one reading. */
export interface CatalogReader {
  /**
   * The whole catalog, at most CATALOG_MAX_AGE_SECONDS old; read upstream first with `refresh`. The tiers of operators
   * are surely in it only for the operators named.
   */
  whole(refresh: boolean, operators?: readonly OperatorId[]): Promise<ReadReply<Catalog>>;
  /** The tiers that a create with this routing may be given, at most `maxAge` milliseconds old: what it is judged by. */
  offer(id: CatalogProductId, routing: Routing | null, maxAge: number): Promise<ReadReply<Offer>>;
  countries(): Promise<ReadReply<readonly Country[]>>;
  services(countryId: CountryId | null): Promise<ReadReply<readonly Platform[]>>;
  operators(countryId: CountryId, platformId: PlatformId): Promise<ReadReply<readonly Operator[]>>;
  exchangeRate(pair: string): Promise<ReadReply<ExchangeRate>>;
  /** The whole catalog where it need not be read first; null where it must. */
  shown(): Catalog | null;
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
  const parts = createFreshest<string, readonly Product[]>(clock, MOST_KEPT);
  const catalogs = createFreshest<string, Catalog>(clock, MOST_CATALOGS);
  const share = createSingleFlight<'whole', ReadReply<Catalog>>();

  const readCountries = (): Promise<ReadReply<readonly Country[]>> =>
    countries('all', LABELS_MAX_AGE, () => numbers.countries());
  const readServices = (countryId: CountryId | null): Promise<ReadReply<readonly Platform[]>> =>
    services(countryId, countryId === null ? LABELS_MAX_AGE : deps.maxAge, () => numbers.services(countryId));
  const readOperators = (countryId: CountryId, platformId: PlatformId) =>
    operators(`${countryId}/${platformId}`, OPERATORS_MAX_AGE, () =>
      numbers.operators(countryId, platformId),
    );
  const readPart = (filter: CatalogFilter, maxAge: number): Promise<ReadReply<readonly Product[]>> => {
    const { countryId, platformId, operatorId } = filter;
    return parts(`${countryId}/${platformId}/${operatorId}`, maxAge, async () => {
      const reply = await numbers.products(filter);
      if (reply.kind === 'read' && operatorId !== null) await remember(reply.value);
      return reply;
    });
  };

  const remembered = new Set<ProductId>();
  const remember = async (products: readonly Product[]): Promise<void> => {
    try {
      await seen.remember(products);
      for (const { id } of products) remembered.add(id);
    } catch (error) {
      deps.log.error('listed products could not be remembered', {}, error);
    }
  };
  /** Before anything is ordered of them: what an order was for is looked up among the seen. */
  const rememberFirst = async (tiers: readonly Product[]): Promise<void> => {
    const news = tiers.filter(({ id }) => !remembered.has(id));
    if (news.length > 0) await remember(news);
  };

  const readWhole = (): Promise<ReadReply<Catalog>> =>
    share('whole', async () => {
      const [products, countryList, platformList] = await Promise.all([
        numbers.products(everything),
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

  const within = (maxAge: number): Catalog | null =>
    last !== null && isWithin(clock.now(), last.asOf, maxAge) ? last : null;

  const whole = async (refresh: boolean, maxAge: number): Promise<ReadReply<Catalog>> => {
    const known = refresh ? null : within(maxAge);
    return known === null ? readWhole() : { kind: 'read', value: known, readAt: known.asOf };
  };

  /** The whole with the tiers of some operators, each read by itself. */
  const wholeWith = (ids: readonly OperatorId[], refresh: boolean): Promise<ReadReply<Catalog>> =>
    catalogs(ids.join(), refresh ? 0 : deps.maxAge, async () => {
      const base = await whole(refresh, deps.maxAge);
      if (base.kind !== 'read') return base;
      const products = new Map(base.value.products.map((product) => [product.id, product]));
      for (const operatorId of ids) {
        const part = await readPart({ ...everything, operatorId }, refresh ? 0 : deps.maxAge);
        if (part.kind !== 'read') return part;
        for (const product of part.value) products.set(product.id, product);
      }
      const { countries: labels, platforms, asOf } = base.value;
      const value = buildCatalog([...products.values()], [...labels.values()], [...platforms.values()], asOf);
      return { kind: 'read', value, readAt: asOf };
    });

  /** The tiers at one place that a create with this routing may be given. */
  const tiersAt = async (
    countryId: CountryId,
    platformId: PlatformId,
    routing: Routing | null,
    maxAge: number,
  ): Promise<ReadReply<readonly Product[]>> => {
    const place = { countryId, platformId };
    const operatorId = routing?.operatorId ?? null;
    const own = await readPart({ ...place, operatorId }, maxAge);
    // Left to its own choice among all, the provider takes the cheapest: those that are listed without being asked for.
    const mayBeAny =
      operatorId === null &&
      (routing?.policy === 'BEST_SUCCESS' || (routing?.preferProvider ?? null) !== null);
    if (own.kind !== 'read' || !mayBeAny) return own;
    const choice = await readOperators(countryId, platformId);
    if (choice.kind !== 'read') return choice;
    const tiers = new Map(own.value.map((product) => [product.id, product]));
    for (const operator of choice.value) {
      if (operator.operatorId === null) continue;
      const part = await readPart({ ...place, operatorId: operator.operatorId }, maxAge);
      if (part.kind !== 'read') return part;
      for (const product of part.value) tiers.set(product.id, product);
    }
    return { ...own, value: [...tiers.values()] };
  };

  /** A tier of the id as last seen, in this process or ever. */
  const lastSeen = async (id: CatalogProductId): Promise<Product | null> => {
    const listed = last === null ? undefined : tiersIn(last, id)[0];
    return listed ?? (await seen.ofCatalogProduct(id))[0] ?? null;
  };

  return {
    whole: (refresh, ids = []) =>
      ids.length === 0
        ? whole(refresh, deps.maxAge)
        : wholeWith(
            [...new Set(ids)].sort((a, b) => a - b),
            refresh,
          ),
    async offer(id, routing, maxAge) {
      const offer = await readOffer(id, routing, maxAge);
      if (offer.kind === 'read') await rememberFirst(offer.value.tiers);
      return offer;
    },
    countries: readCountries,
    services: readServices,
    operators: readOperators,
    exchangeRate: (pair) => rates(pair, RATE_MAX_AGE, () => numbers.exchangeRate(pair)),
    shown: () => within(deps.maxAge),
    lastKnown: () => last,
  };

  async function readOffer(
    id: CatalogProductId,
    routing: Routing | null,
    maxAge: number,
  ): Promise<ReadReply<Offer>> {
    const known = await lastSeen(id);
    const isPlain = routing === null || Object.values(routing).every((value) => value === null);
    const place = known?.countryId ?? null;
    const platform = known?.platformId ?? null;
    const isFresh = last !== null && isWithin(clock.now(), last.asOf, maxAge);
    // Never seen, or nowhere: only a reading of everything tells whether it is listed.
    if (place === null || platform === null || (isPlain && isFresh)) {
      const all = await whole(false, maxAge);
      return all.kind === 'read' ? { ...all, value: offerFrom(tiersIn(all.value, id), known) } : all;
    }
    const fresh = await tiersAt(place, platform, routing, maxAge);
    if (fresh.kind !== 'read') return fresh;
    const tiers = fresh.value.filter((product) => product.catalogProductId === id);
    return { ...fresh, value: offerFrom(tiers, known) };
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
