import { type Answer, done, invalid, refused } from './answer.ts';
import type { Catalog } from './catalog/generate.ts';
import { type CatalogQueries, tierName } from './catalog/query.ts';
import type { Stock } from './catalog/stock.ts';
import { queryClamped, queryInt32, querySort } from './requests.ts';
import type { BuyerSettings } from './settings.ts';

export type CatalogOperations = {
  countries(): Answer;
  services(query: URLSearchParams): Answer;
  products(query: URLSearchParams): Answer;
  operators(query: URLSearchParams): Answer;
  exchangeRate(query: URLSearchParams): Answer;
};

type Parts = {
  readonly catalog: Catalog;
  readonly stock: Stock;
  readonly queries: CatalogQueries;
  readonly settings: () => BuyerSettings;
};

const PAIR = 'USD/IDR';

/** The reads of reference section 5. */
export function createCatalogOperations({ catalog, stock, queries, settings }: Parts): CatalogOperations {
  function product(at: number): Record<string, unknown> {
    const { id, catalogProductId, country, service, operator } = catalog.tier(at);
    return {
      id,
      name: tierName(catalog, at),
      country_id: country.id,
      platform_id: service.id,
      available: stock.available(at),
      price: stock.price(at),
      active: true,
      catalog_product_id: catalogProductId,
      operator_id: operator?.id ?? null,
      operator_name: operator?.name ?? null,
    };
  }

  return {
    countries: () =>
      done(
        catalog.countries.map(({ id, code, name, dialCode, emoji }) => ({
          id,
          code,
          name,
          dial_code: dialCode,
          emoji,
          active: true,
        })),
      ),
    services(query) {
      const countryId = queryInt32(query, 'country_id');
      if (countryId.kind === 'refused') return countryId;
      const services = queries.services(countryId.value);
      return done(services.map(({ id, code, name, active }) => ({ id, code, name, active })));
    },
    products(query) {
      const countryId = queryInt32(query, 'country_id');
      if (countryId.kind === 'refused') return countryId;
      const platformId = queryInt32(query, 'platform_id');
      if (platformId.kind === 'refused') return platformId;
      const operatorId = queryInt32(query, 'operator_id');
      if (operatorId.kind === 'refused') return operatorId;
      const limit = queryClamped(query, 'limit', { from: 1, to: 10_000, otherwise: 1000 });
      if (limit.kind === 'refused') return limit;
      const page = queryClamped(query, 'page', { from: 1, to: Number.MAX_SAFE_INTEGER, otherwise: 1 });
      if (page.kind === 'refused') return page;

      const filter = {
        countryId: countryId.value,
        platformId: platformId.value,
        operatorId: operatorId.value,
      };
      const from = (page.value - 1) * limit.value;
      const data = queries
        .tiers(filter, querySort(query))
        .slice(from, from + limit.value)
        .map(product);
      return {
        kind: 'done',
        data,
        meta: { page: page.value, limit: limit.value, count: data.length },
        long: true,
      };
    },
    operators(query) {
      const countryId = queryInt32(query, 'country_id');
      if (countryId.kind === 'refused') return countryId;
      const platformId = queryInt32(query, 'platform_id');
      if (platformId.kind === 'refused') return platformId;
      if (countryId.value === null) return invalid('country_id', 'is needed');
      if (platformId.value === null) return invalid('platform_id', 'is needed');
      const { any, operators } = queries.operators(countryId.value, platformId.value);
      // Without any operator there is no choice: the list is then empty, not one "any".
      const first = any && operators.length > 0 ? [ANY_OPERATOR] : [];
      const rest = operators.map(({ id, code, name, localName }) => ({
        operator_id: id,
        code,
        name,
        local_name: localName,
      }));
      return done([...first, ...rest]);
    },
    exchangeRate(query) {
      if ((query.get('pair') ?? PAIR) !== PAIR) return refused('NOT_FOUND', 'No rate for that pair');
      return done({
        pair: PAIR,
        base_currency: 'USD',
        quote_currency: 'IDR',
        rate: settings().exchange_rate,
      });
    },
  };
}

const ANY_OPERATOR = { operator_id: null, code: 'any', name: 'Any', local_name: null };
