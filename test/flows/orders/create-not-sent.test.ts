import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { CreateRequest } from '../../../src/domain/orders/compare.ts';
import type { UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { limitBudget } from '../../support/gateway.ts';
import { alice, aProduct, catalogProductId, job, start } from '../../support/values.ts';
import { listedTier, openCreating, outcomeIn, sendsOf } from '../support/creating.ts';

describe('a job that is not sent', () => {
  const cases: [string, Partial<CreateRequest>, readonly ReturnType<typeof aProduct>[], object][] = [
    [
      'never listed',
      { catalogProductId: catalogProductId(99) },
      [listedTier],
      { reason: 'UNKNOWN_PRODUCT', product: null },
    ],
    ['sold out', {}, [aProduct({ available: 0 })], { reason: 'OUT_OF_STOCK', product: { id: 70 } }],
    ['too few', { quantity: 11 }, [listedTier], { reason: 'OUT_OF_STOCK', product: { id: 70 } }],
    ['switched off', {}, [aProduct({ active: false })], { reason: 'INACTIVE', product: { id: 70 } }],
    [
      'too dear',
      { maxUnitPrice: rupiah(4_999) },
      [listedTier],
      { reason: 'PRICE_ABOVE_LIMIT', product: { price: 5_000 } },
    ],
    [
      'beyond any budget',
      { maxUnitPrice: rupiah(2 ** 53 - 1), quantity: 2 },
      [listedTier],
      { reason: 'BUDGET_EXCEEDED' },
    ],
  ];

  it.each(cases)('%s: nothing is stored', async (_, more, listed, expected) => {
    const gateway = await openCreating({
      products: async () => ({ kind: 'read', value: listed, readAt: start }),
    });
    expect(outcomeIn(await gateway.create(more))).toMatchObject({
      kind: 'CreateOrderNotSent',
      attempt: null,
      budget: null,
      ...expected,
    });
    expect(await gateway.store.attempts.find(alice, job('job-1'))).toBeNull();
    expect(sendsOf(gateway)).toBe(0);
  });

  it('over the budget: shows the budget, stores nothing, and may be asked for again', async () => {
    const gateway = await openCreating();
    await limitBudget(gateway.store, 4_999);
    expect(outcomeIn(await gateway.create())).toEqual({
      kind: 'CreateOrderNotSent',
      attempt: null,
      reason: 'BUDGET_EXCEEDED',
      product: null,
      budget: { limit: 4_999, spent: 0, reserved: 0 },
    });
    expect(await gateway.store.attempts.find(alice, job('job-1'))).toBeNull();
    expect(outcomeIn(await gateway.create({ maxUnitPrice: rupiah(5_000) })).kind).toBe('CreateOrderNotSent');
    expect(sendsOf(gateway)).toBe(0);
  });

  it.each<UpstreamFault>([
    { kind: 'not-configured' },
    { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: 7 },
    { kind: 'unauthorized', httpStatus: 401 },
    { kind: 'throttled', retryAfterSeconds: null },
    { kind: 'malformed', httpStatus: 200 },
  ])('the catalog could not be read ($kind): nothing is stored', async (fault) => {
    const gateway = await openCreating({ products: async () => fault });
    expect(await gateway.create()).toEqual({ kind: 'fault', fault });
    expect(await gateway.store.attempts.find(alice, job('job-1'))).toBeNull();
    expect(sendsOf(gateway)).toBe(0);
  });

  it('is judged by its first send alone: a known job is not judged again', async () => {
    const gateway = await openCreating();
    const first = outcomeIn(await gateway.create());
    gateway.upstream.script({ products: async () => ({ kind: 'malformed', httpStatus: 200 }) });
    await gateway.clock.pass(3_600_000);
    expect(outcomeIn(await gateway.create())).toEqual(first);
  });
});
