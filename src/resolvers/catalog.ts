import { nameOf } from '../domain/catalog/catalog.ts';
import { facetsOf } from '../domain/catalog/facets.ts';
import { type Country, cheapest, type Platform, type Product } from '../domain/catalog/product.ts';
import { productAt } from '../domain/catalog/select.ts';
import {
  type CatalogProductId,
  type CountryId,
  type PlatformId,
  parseCatalogProductId,
  parseCountryId,
  parsePlatformId,
} from '../domain/ids.ts';
import type { Deps } from '../flows/deps.ts';
import { builder } from '../schema/builder.ts';
import {
  CatalogFacetsType,
  CatalogProductType,
  CountryType,
  ExchangeRateType,
  OperatorType,
  ServiceType,
} from '../schema/catalog.ts';
import { badInput, orBadInput } from './errors.ts';
import { asBuyer } from './guard.ts';
import { readOrThrow, upstreamError } from './upstream-error.ts';

const INT32 = 'a 32-bit integer';

builder.queryField('catalogProduct', (t) =>
  t.field({
    type: CatalogProductType,
    nullable: true,
    description:
      'The tier that an order by this stable id would take now: the cheapest orderable of those listed, else the cheapest. Null while none is listed: sold out, or never there.',
    args: {
      catalogProductId: t.arg.int({ required: true, description: 'CatalogProduct.catalogProductId.' }),
      refresh: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'true: read its tiers upstream first; false: from the cached catalog.',
      }),
    },
    resolve: asBuyer(async (_root, { catalogProductId, refresh }, { deps }) => {
      const id = orBadInput(parseCatalogProductId(catalogProductId), 'catalogProductId', INT32);
      return cheapest(refresh ? await freshTiers(deps, id) : await cachedTiers(deps, id));
    }),
  }),
);

async function freshTiers(deps: Deps, id: CatalogProductId): Promise<readonly Product[]> {
  return readOrThrow(await deps.catalog.offer(id, null, 0)).tiers;
}

async function cachedTiers(deps: Deps, id: CatalogProductId): Promise<readonly Product[]> {
  const catalog = readOrThrow(await deps.catalog.whole(false));
  return (catalog.rowsOf.get(id) ?? []).map((row) => productAt(catalog, row));
}

builder.queryField('catalogFacets', (t) =>
  t.field({
    type: CatalogFacetsType,
    description:
      'Which countries and platforms have something to order now, and how much: what a frontend fills its pickers with. From the cached catalog.',
    resolve: asBuyer(async (_root, _args, { deps }) =>
      facetsOf(readOrThrow(await deps.catalog.whole(false))),
    ),
  }),
);

builder.queryField('countries', (t) =>
  t.field({
    type: [CountryType],
    description: 'All countries that the provider knows, in stock or not. Read at most an hour ago.',
    resolve: asBuyer(async (_root, _args, { deps }) => readOrThrow(await deps.catalog.countries())),
  }),
);

builder.queryField('services', (t) =>
  t.field({
    type: [ServiceType],
    description: 'The platforms that one can get a number for.',
    args: { countryId: t.arg.int({ description: 'Only those in stock in this country; left out: all.' }) },
    resolve: asBuyer(async (_root, { countryId }, { deps }) =>
      readOrThrow(await deps.catalog.services(parseCountryId(countryId))),
    ),
  }),
);

builder.queryField('operators', (t) =>
  t.field({
    type: [OperatorType],
    description:
      'The operators with stock for a country and platform, at most five minutes ago. Empty: no choice, so order without one.',
    args: {
      countryId: t.arg.int({ required: true, description: 'Country.id.' }),
      platformId: t.arg.int({ required: true, description: 'Service.id.' }),
    },
    resolve: asBuyer(async (_root, args, { deps }) => {
      const countryId = orBadInput(parseCountryId(args.countryId), 'countryId', INT32);
      const platformId = orBadInput(parsePlatformId(args.platformId), 'platformId', INT32);
      return readOrThrow(await deps.catalog.operators(countryId, platformId));
    }),
  }),
);

builder.queryField('exchangeRate', (t) =>
  t.field({
    type: ExchangeRateType,
    nullable: true,
    description:
      'A rate by which the provider converts, at most a minute old. Null where it keeps none of this pair.',
    args: {
      pair: t.arg.string({
        required: true,
        defaultValue: 'USD/IDR',
        description: 'BASE/QUOTE in upper-case letters.',
      }),
    },
    resolve: asBuyer(async (_root, { pair }, { deps }) => {
      if (!/^[A-Z]{2,10}\/[A-Z]{2,10}$/.test(pair)) throw badInput('pair', 'BASE/QUOTE, such as USD/IDR');
      const reply = await deps.catalog.exchangeRate(pair);
      if (reply.kind === 'read') return reply.value;
      if (reply.kind === 'refused' && reply.httpStatus === 404) return null;
      throw upstreamError(reply);
    }),
  }),
);

interface Labels {
  readonly countries: ReadonlyMap<CountryId, Country>;
  readonly platforms: ReadonlyMap<PlatformId, Platform>;
}

/** The names of the last catalog read: a product is worth showing without them, so nothing is read for their sake. */
function labelsOf(deps: Deps): Labels {
  return deps.catalog.lastKnown() ?? { countries: new Map(), platforms: new Map() };
}

builder.objectField(CatalogProductType, 'name', (t) =>
  t.string({
    description: "The provider's name of the tier, or one made of its platform and country.",
    resolve: (product, _args, { deps }) => {
      const { countries, platforms } = labelsOf(deps);
      return nameOf(product, countries, platforms);
    },
  }),
);

builder.objectField(CatalogProductType, 'country', (t) =>
  t.field({
    type: CountryType,
    nullable: true,
    description: 'The country; null where it is not told or not known.',
    resolve: ({ countryId }, _args, { deps }) =>
      countryId === null ? null : (labelsOf(deps).countries.get(countryId) ?? null),
  }),
);

builder.objectField(CatalogProductType, 'platform', (t) =>
  t.field({
    type: ServiceType,
    nullable: true,
    description: 'The platform; null where it is not told or not known.',
    resolve: ({ platformId }, _args, { deps }) =>
      platformId === null ? null : (labelsOf(deps).platforms.get(platformId) ?? null),
  }),
);
