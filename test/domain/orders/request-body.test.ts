import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { AttemptRequest, Routing } from '../../../src/domain/orders/attempt.ts';
import { paidRequest } from '../../../src/domain/orders/request-body.ts';
import { catalogProductId, operatorId, orderId } from '../../support/values.ts';

type Create = Extract<AttemptRequest, { kind: 'CREATE' }>;

const plain: Create = {
  kind: 'CREATE',
  catalogProductId: catalogProductId(88),
  quantity: 1,
  maxUnitPrice: null,
  routing: null,
};
const noRouting: Routing = { operatorId: null, minPrice: null, policy: null, preferProvider: null };

describe('the bytes of a create', () => {
  it.each<[string, Partial<Create>, string]>([
    ['nothing special', {}, '{"catalog_product_id":88,"quantity":1}'],
    ['a routing that says nothing', { routing: noRouting }, '{"catalog_product_id":88,"quantity":1}'],
    ['many', { quantity: 100 }, '{"catalog_product_id":88,"quantity":100}'],
    ['a bound', { maxUnitPrice: rupiah(6_000) }, '{"catalog_product_id":88,"max_price":6000,"quantity":1}'],
    [
      'a bound of nothing',
      { maxUnitPrice: rupiah(0) },
      '{"catalog_product_id":88,"max_price":0,"quantity":1}',
    ],
    [
      'everything',
      {
        quantity: 3,
        maxUnitPrice: rupiah(6_000),
        routing: {
          operatorId: operatorId(3),
          minPrice: rupiah(1_000),
          policy: 'BEST_SUCCESS',
          preferProvider: 'acme',
        },
      },
      '{"catalog_product_id":88,"max_price":6000,"min_price":1000,"operator_id":3,"policy":"best_success","prefer_provider":"acme","quantity":3}',
    ],
    [
      'the policy that is the default, since it was asked for',
      { routing: { ...noRouting, policy: 'CHEAPEST' } },
      '{"catalog_product_id":88,"policy":"cheapest","quantity":1}',
    ],
    [
      'a provider with characters of its own',
      { routing: { ...noRouting, preferProvider: 'a"b\\c é' } },
      '{"catalog_product_id":88,"prefer_provider":"a\\"b\\\\c é","quantity":1}',
    ],
  ])('%s', (_, change, body) => {
    expect(paidRequest({ ...plain, ...change })).toEqual({ endpoint: '/orders/create', body });
  });

  it('are canonical: keys sorted, no blanks, nothing null', () => {
    const request = fc.record({
      quantity: fc.integer({ min: 1, max: 100 }),
      maxUnitPrice: fc.option(fc.maxSafeNat().map(rupiah)),
      routing: fc.option(
        fc.record({
          operatorId: fc.option(fc.integer().map(operatorId)),
          minPrice: fc.option(fc.maxSafeNat().map(rupiah)),
          policy: fc.option(fc.constantFrom('CHEAPEST' as const, 'BEST_SUCCESS' as const)),
          preferProvider: fc.option(fc.string({ unit: 'binary' })),
        }),
      ),
    });
    fc.assert(
      fc.property(request, (change) => {
        const { body } = paidRequest({ ...plain, ...change });
        const fields: Record<string, unknown> = JSON.parse(body);
        const keys = Object.keys(fields);
        expect(keys).toEqual([...keys].sort());
        expect(JSON.stringify(fields)).toBe(body);
        expect(Object.values(fields)).not.toContain(null);
        expect(body.isWellFormed()).toBe(true);
        expect(fields['quantity']).toBe(change.quantity);
        expect(fields['max_price'] ?? null).toBe(change.maxUnitPrice);
        expect(fields['prefer_provider'] ?? null).toBe(change.routing?.preferProvider ?? null);
      }),
    );
  });
});

describe('the bytes of a reactivation', () => {
  it('name the order and the bound', () => {
    const request = { kind: 'REACTIVATE', orderId: orderId(4_410_001), maxCost: rupiah(5_000) } as const;
    expect(paidRequest(request)).toEqual({
      endpoint: '/orders/reactivate',
      body: '{"id":4410001,"max_price":5000}',
    });
  });
});
