import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Product } from '../../../src/domain/catalog/product.ts';
import { rupiah } from '../../../src/domain/money.ts';
import { admitCreate, type CreateWish } from '../../../src/domain/orders/admit-create.ts';
import { aProduct, operatorId, productId } from '../../support/values.ts';

function tier(id: number, price: number, change: Partial<Product> = {}): Product {
  return aProduct({ id: productId(id), price: rupiah(price), ...change });
}

const one: CreateWish = { quantity: 1, maxUnitPrice: null, routing: null };
const noRouting = { operatorId: null, minPrice: null, policy: null, preferProvider: null };
const sold = { available: 0 };
const off = { active: false };

function admitted(tiers: readonly Product[], wish: Partial<CreateWish> = {}): unknown {
  return admitCreate({ tiers, lastKnown: tiers[0] ?? null }, { ...one, ...wish });
}

describe('a create is not sent', () => {
  it('for an id that was never listed', () => {
    const offer = { tiers: [], lastKnown: null };
    expect(admitCreate(offer, one)).toEqual({ kind: 'not-sent', reason: 'UNKNOWN_PRODUCT', product: null });
  });

  it('for an id that was listed once', () => {
    const lastKnown = tier(1, 5_000);
    expect(admitCreate({ tiers: [], lastKnown }, one)).toEqual({
      kind: 'not-sent',
      reason: 'OUT_OF_STOCK',
      product: lastKnown,
    });
  });

  const dear = tier(1, 9_000);
  const cheap = tier(2, 5_000);
  it.each<[string, readonly Product[], Partial<CreateWish>, string, Product]>([
    ['one that is off', [tier(1, 5_000, off)], {}, 'INACTIVE', tier(1, 5_000, off)],
    [
      'several that are off: the cheapest is shown',
      [tier(1, 9, off), tier(2, 7, off)],
      {},
      'INACTIVE',
      tier(2, 7, off),
    ],
    [
      'off and sold out',
      [tier(1, 5_000, { ...off, ...sold })],
      {},
      'INACTIVE',
      tier(1, 5_000, { ...off, ...sold }),
    ],
    ['sold out', [tier(1, 5_000, sold)], {}, 'OUT_OF_STOCK', tier(1, 5_000, sold)],
    [
      'fewer than asked for',
      [tier(1, 5_000, { available: 2 })],
      { quantity: 3 },
      'OUT_OF_STOCK',
      tier(1, 5_000, { available: 2 }),
    ],
    [
      'in stock alone where it is off',
      [tier(1, 5, off), tier(2, 7, sold)],
      {},
      'OUT_OF_STOCK',
      tier(2, 7, sold),
    ],
    ['too dear', [dear], { maxUnitPrice: rupiah(8_999) }, 'PRICE_ABOVE_LIMIT', dear],
    ['the cheapest too dear', [dear, cheap], { maxUnitPrice: rupiah(4_999) }, 'PRICE_ABOVE_LIMIT', cheap],
    [
      'the cheap one sold out',
      [dear, tier(2, 5, sold)],
      { maxUnitPrice: rupiah(10) },
      'PRICE_ABOVE_LIMIT',
      dear,
    ],
    [
      'no tier of that operator',
      [cheap],
      { routing: { ...noRouting, operatorId: operatorId(3) } },
      'OUT_OF_STOCK',
      cheap,
    ],
    [
      'none as dear as asked for',
      [cheap],
      { routing: { ...noRouting, minPrice: rupiah(5_001) } },
      'OUT_OF_STOCK',
      cheap,
    ],
    [
      'bounds that leave nothing',
      [cheap],
      { maxUnitPrice: rupiah(4_000), routing: { ...noRouting, minPrice: rupiah(4_500) } },
      'PRICE_ABOVE_LIMIT',
      cheap,
    ],
  ])('%s', (_, tiers, wish, reason, product) => {
    expect(admitted(tiers, wish)).toEqual({ kind: 'not-sent', reason, product });
  });
});

describe('a create is admitted, and reserves', () => {
  const any = tier(1, 5_000);
  const dearer = tier(2, 7_000);
  const ofOperator = tier(3, 9_000, { operatorId: operatorId(3) });
  it.each<[string, readonly Product[], Partial<CreateWish>, number]>([
    ['the price', [any], {}, 5_000],
    ['the dearest tier of several: which one is taken is the provider’s choice', [any, dearer], {}, 7_000],
    ['for each one asked for', [any, dearer], { quantity: 10 }, 70_000],
    ['the bound that is sent', [any, dearer], { maxUnitPrice: rupiah(6_000), quantity: 2 }, 12_000],
    ['a bound above every tier', [any], { maxUnitPrice: rupiah(50_000) }, 50_000],
    ['a bound of exactly the price', [any], { maxUnitPrice: rupiah(5_000) }, 5_000],
    ['the dearest, though it is sold out now', [any, tier(2, 7_000, sold)], {}, 7_000],
    ['not one that is off', [any, tier(2, 7_000, off)], {}, 5_000],
    [
      'the operator’s own',
      [any, dearer, ofOperator],
      { routing: { ...noRouting, operatorId: operatorId(3) } },
      9_000,
    ],
    [
      'stock of several tiers together',
      [tier(1, 5, { available: 2 }), tier(2, 6, { available: 1 })],
      { quantity: 3 },
      18,
    ],
    [
      'of what is as dear as asked for',
      [any, dearer],
      { routing: { ...noRouting, minPrice: rupiah(6_000) } },
      7_000,
    ],
  ])('%s', (_, tiers, wish, reserve) => {
    expect(admitted(tiers, wish)).toEqual({ kind: 'admitted', reserve });
  });

  it('refuses an amount that no budget could hold, and never rounds it', () => {
    const maxUnitPrice = rupiah(Number.MAX_SAFE_INTEGER);
    expect(admitted([any], { maxUnitPrice })).toEqual({ kind: 'admitted', reserve: Number.MAX_SAFE_INTEGER });
    expect(admitted([any], { maxUnitPrice, quantity: 2 })).toEqual({
      kind: 'not-sent',
      reason: 'BUDGET_EXCEEDED',
      product: any,
    });
  });

  it('never reserves less than the provider could charge', () => {
    const tiers = fc.array(
      fc.record({
        price: fc.integer({ min: 1, max: 20 }),
        available: fc.integer({ min: 0, max: 4 }),
        active: fc.boolean(),
        operator: fc.option(fc.integer({ min: 1, max: 2 })),
      }),
      { maxLength: 5 },
    );
    const bound = fc.option(fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(tiers, fc.integer({ min: 1, max: 5 }), bound, bound, (rows, quantity, max, min) => {
        const products = rows.map(({ price, available, active, operator }, n) =>
          tier(n, price, { available, active, operatorId: operator === null ? null : operatorId(operator) }),
        );
        const maxUnitPrice = max === null ? null : rupiah(max);
        const routing = min === null ? null : { ...noRouting, minPrice: rupiah(min) };
        const admission = admitCreate(
          { tiers: products, lastKnown: products[0] ?? null },
          { quantity, maxUnitPrice, routing },
        );
        // What the provider may take: the dearest units of those that fit, which are in stock now.
        const units = products
          .filter((product) => product.active && product.price >= (min ?? 0) && product.price <= (max ?? 20))
          .flatMap(({ available, price }) => Array.from({ length: available }, () => price))
          .sort((a, b) => b - a);
        const worst = units.slice(0, quantity).reduce<number>((total, price) => total + price, 0);
        if (admission.kind === 'admitted') expect(admission.reserve).toBeGreaterThanOrEqual(worst);
        else if (max === null) expect(units.length).toBeLessThan(quantity);
      }),
      { numRuns: 1_000 },
    );
  });
});
