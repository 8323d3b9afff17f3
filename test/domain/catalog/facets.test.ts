import { expect, it } from 'vitest';
import { buildCatalog } from '../../../src/domain/catalog/catalog.ts';
import { facetsOf } from '../../../src/domain/catalog/facets.ts';
import type { Country, Platform, Product } from '../../../src/domain/catalog/product.ts';
import { aProduct, countryId, platformId, productId, start } from '../../support/values.ts';

function country(id: number, name: string): Country {
  return { id: countryId(id), code: null, name, dialCode: null, emoji: null, active: true };
}

function platform(id: number, name: string): Platform {
  return { id: platformId(id), code: name, name, active: true };
}

function tier(
  id: number,
  countryOf: number | null,
  platformOf: number | null,
  change: Partial<Product> = {},
): Product {
  return aProduct({
    id: productId(id),
    countryId: countryOf === null ? null : countryId(countryOf),
    platformId: platformOf === null ? null : platformId(platformOf),
    ...change,
  });
}

it('counts what can be ordered of each country and platform, by label, with the stock together', () => {
  const products = [
    tier(1, 6, 1, { available: 3 }),
    tier(2, 6, 2, { available: 4 }),
    tier(3, 7, 1, { available: 5 }),
    tier(4, 7, 1, { available: 0 }),
    tier(5, 8, 1, { active: false }),
    tier(6, 9, 3, { catalogProductId: null }),
    tier(7, null, null, { available: 9 }),
    tier(8, 5, null, { available: 1 }),
  ];
  const countries = [country(6, 'Indonesia'), country(7, 'Åland'), country(8, 'Chad'), country(10, 'Peru')];
  const facets = facetsOf(buildCatalog(products, countries, [platform(1, 'Telegram')], start));
  expect(facets).toEqual({
    countries: [
      { id: 5, label: null, products: 1, available: 1 },
      { id: 7, label: 'Åland', products: 1, available: 5 },
      { id: 6, label: 'Indonesia', products: 2, available: 7 },
    ],
    platforms: [
      { id: 2, label: null, products: 1, available: 4 },
      { id: 1, label: 'Telegram', products: 2, available: 8 },
    ],
  });
});

it('knows none of an empty catalog', () => {
  expect(facetsOf(buildCatalog([], [country(6, 'Indonesia')], [], start))).toEqual({
    countries: [],
    platforms: [],
  });
});
