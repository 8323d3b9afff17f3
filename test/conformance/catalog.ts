import { describe, expect, it } from 'vitest';
import type { Product } from '../../src/domain/catalog/product.ts';
import {
  parseCatalogProductId,
  parseCountryId,
  parseOperatorId,
  parsePlatformId,
  parseProductId,
} from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import { later, SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { known, useWorld } from './support/world.ts';

export function describeSeenProducts(create: CreateDatabase): void {
  describe('seen products', () => {
    const world = useWorld(create);
    const id = (value: number) => known(parseProductId(value));
    const catalogId = (value: number) => known(parseCatalogProductId(value));

    function product(number: number, but: Partial<Product> = {}): Product {
      return {
        id: id(number),
        catalogProductId: catalogId(1_007),
        name: `Telegram\0${number}`,
        countryId: known(parseCountryId(62)),
        platformId: known(parsePlatformId(3)),
        operatorId: known(parseOperatorId(7)),
        operatorName: 'Any',
        available: 12,
        price: rupiah(4_000),
        active: true,
        asOf: world().now(),
        ...but,
      };
    }

    it('gives back what it has seen', async () => {
      const { seenProducts } = world().store;
      const nameless = {
        catalogProductId: null,
        name: null,
        countryId: null,
        platformId: null,
        operatorId: null,
        operatorName: null,
        active: false,
      };
      const seen = [product(1), product(2, nameless)];
      await seenProducts.remember(seen);
      expect(await seenProducts.byIds([id(2), id(1), id(3)])).toEqual(seen);
      expect(await seenProducts.ofCatalogProduct(catalogId(1_007))).toEqual([product(1)]);
      expect(await seenProducts.ofCatalogProduct(catalogId(1))).toEqual([]);
      expect(await seenProducts.byIds([])).toEqual([]);
    });

    it.each<[string, Partial<Product>]>([
      ['name', { name: 'Signal' }],
      ['stable id', { catalogProductId: known(parseCatalogProductId(9)) }],
      ['country', { countryId: known(parseCountryId(9)) }],
      ['platform', { platformId: known(parsePlatformId(9)) }],
      ['operator', { operatorId: known(parseOperatorId(9)) }],
      ['operator’s name', { operatorName: 'Nine' }],
    ])('brings one up to date whose %s changed', async (_, change) => {
      const { seenProducts } = world().store;
      await seenProducts.remember([product(1)]);
      const changed = product(1, {
        ...change,
        price: rupiah(1),
        available: 0,
        active: false,
        asOf: later(world().now(), SECOND),
      });
      await seenProducts.remember([changed]);
      expect(await seenProducts.byIds([id(1)])).toEqual([changed]);
    });

    it('forgets no name or id that a later listing leaves out', async () => {
      const { seenProducts } = world().store;
      await seenProducts.remember([product(1)]);
      await seenProducts.remember([product(1, { name: null, countryId: null, operatorName: 'New' })]);
      expect(await seenProducts.byIds([id(1)])).toEqual([product(1, { operatorName: 'New' })]);
    });

    it('takes a whole catalog, more than once', async () => {
      const { seenProducts } = world().store;
      const catalog = Array.from({ length: 1_201 }, (_, index) => product(index));
      await seenProducts.remember(catalog);
      await seenProducts.remember(catalog.map((one) => ({ ...one, name: `${one.name}!` })));
      const seen = await seenProducts.ofCatalogProduct(catalogId(1_007));
      expect(seen).toHaveLength(1_201);
      expect(seen.every(({ name }) => name?.endsWith('!') === true)).toBe(true);
    });
  });
}
