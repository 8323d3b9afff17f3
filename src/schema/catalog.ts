import type { Facet, Facets } from '../domain/catalog/facets.ts';
import {
  type Country,
  type ExchangeRate,
  isOrderable,
  type Operator,
  type Platform,
  type Product,
} from '../domain/catalog/product.ts';
import type { Instant } from '../domain/time.ts';
import { builder } from './builder.ts';
import { type CountedConnection, connectionOf, countable } from './connection.ts';

/** GraphQL's Int ends here; a sum of stocks may not. */
const MOST_INT = 2 ** 31 - 1;

export const CountryType = builder.objectRef<Country>('Country').implement({
  description: 'A country whose numbers the provider knows of.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description: "The provider's id: what `countryId` and `countryIds` mean everywhere.",
    }),
    code: t.exposeString('code', {
      nullable: true,
      description: 'ISO 3166-1 alpha-2, upper case; null where the provider tells none.',
    }),
    name: t.exposeString('name', { description: 'The English name, as the provider writes it.' }),
    dialCode: t.exposeString('dialCode', {
      nullable: true,
      description: 'The international dialling code: digits, no plus sign. Null where it is not told.',
    }),
    emoji: t.exposeString('emoji', { nullable: true, description: 'The flag; null where it is not told.' }),
    active: t.exposeBoolean('active', {
      description: 'Whether the provider offers the country at all at present.',
    }),
  }),
});

export const ServiceType = builder.objectRef<Platform>('Service').implement({
  description: 'A platform that one can get a number for: the app or site whose SMS is to be received.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description: "The provider's id: what `platformId` and `platformIds` mean everywhere.",
    }),
    code: t.exposeString('code', { description: "The provider's short name of it, for use in addresses." }),
    name: t.exposeString('name', { description: 'The name to show to people.' }),
    active: t.exposeBoolean('active', {
      description: 'Whether the provider offers the platform at all at present.',
    }),
  }),
});

export const OperatorType = builder.objectRef<Operator>('Operator').implement({
  description: 'A mobile operator whose numbers are in stock.',
  fields: (t) => ({
    operatorId: t.exposeInt('operatorId', {
      nullable: true,
      description:
        'What to pass as `routing.operatorId` or `operatorIds`. Null: any operator, so leave it out.',
    }),
    code: t.exposeString('code', {
      description: "The provider's short name of it; `any` of the entry for any operator.",
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name to show; null where it is not told.',
    }),
    localName: t.exposeString('localName', {
      nullable: true,
      description: 'The name as written in its country; null where it is not told.',
    }),
  }),
});

export const ExchangeRateType = builder.objectRef<ExchangeRate>('ExchangeRate').implement({
  description: 'A rate by which the provider converts; for showing prices, as all charges are in rupiah.',
  fields: (t) => ({
    pair: t.exposeString('pair', { description: 'BASE/QUOTE, as USD/IDR.' }),
    base: t.exposeString('base', { description: 'The currency of which one unit is priced.' }),
    quote: t.exposeString('quote', { description: 'The currency it is priced in.' }),
    rate: t.expose('rate', { type: 'Rupiah', description: 'Whole units of quote for one unit of base.' }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When this was read upstream.' }),
  }),
});

/** `name`, `country` and `platform` need the catalog's labels: they are added in resolvers. */
export const CatalogProductType = builder.objectRef<Product>('CatalogProduct').implement({
  description:
    'A tier of the catalog: one offer for a country, platform and operator at a price. Several tiers share one catalogProductId, and an order by that id takes the cheapest that fits. Price, stock and activity are of the moment `asOf`.',
  fields: (t) => ({
    id: t.id({
      description:
        "The provider's number of this tier, as text. It may leave the catalog and come back, and never comes to mean another tier.",
      resolve: (product) => String(product.id),
    }),
    catalogProductId: t.exposeInt('catalogProductId', {
      nullable: true,
      description: 'The stable id to order by. Null: this tier cannot be ordered here.',
    }),
    countryId: t.int({
      description: "The country's id; 0 where the provider leaves it out.",
      resolve: (product) => product.countryId ?? 0,
    }),
    platformId: t.int({
      description: "The platform's id; 0 where the provider leaves it out.",
      resolve: (product) => product.platformId ?? 0,
    }),
    operatorId: t.exposeInt('operatorId', {
      nullable: true,
      description: "The operator's id; null where any operator's number may come.",
    }),
    operatorName: t.exposeString('operatorName', {
      nullable: true,
      description: "The operator's name; null where it is not told or any may come.",
    }),
    available: t.exposeInt('available', { description: 'Numbers in stock, roughly: the provider rounds.' }),
    price: t.expose('price', {
      type: 'Rupiah',
      description:
        'For one number, in whole rupiah. To be safe from a change of price, order with maxUnitPrice.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether the provider sells it at present.' }),
    orderable: t.boolean({
      description: 'active, in stock, and with a catalogProductId to order by.',
      resolve: (product) => isOrderable(product),
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'When this was read upstream. Of a tier that is listed no more: when it last was.',
    }),
  }),
});

export interface CatalogPage extends CountedConnection<Product> {
  readonly asOf: Instant;
}

export const CatalogProductConnectionType = connectionOf<Product, CatalogPage>(
  'CatalogProduct',
  'catalog products',
  CatalogProductType,
);
countable(CatalogProductConnectionType);
builder.objectField(CatalogProductConnectionType, 'asOf', (t) =>
  t.expose('asOf', {
    type: 'DateTime',
    description: 'When the catalog that this page was cut from was read upstream.',
  }),
);

const CatalogFacetType = builder.objectRef<Facet>('CatalogFacet').implement({
  description: 'A country or a platform that has something to order now.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: "The country's or platform's id, for the catalog's filter." }),
    label: t.exposeString('label', { nullable: true, description: 'Its name; null where it is not known.' }),
    products: t.exposeInt('products', { description: 'How many orderable tiers it has.' }),
    available: t.int({
      description: 'The stock of those tiers together, roughly; told up to 2147483647.',
      resolve: (facet) => Math.min(facet.available, MOST_INT),
    }),
  }),
});

export const CatalogFacetsType = builder.objectRef<Facets>('CatalogFacets').implement({
  description: 'What is worth offering in a picker: only what has an orderable tier.',
  fields: (t) => ({
    countries: t.expose('countries', { type: [CatalogFacetType], description: 'The countries, by name.' }),
    platforms: t.expose('platforms', { type: [CatalogFacetType], description: 'The platforms, by name.' }),
  }),
});
