import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { Routing } from '../../../src/domain/orders/attempt.ts';
import {
  type CreateRequest,
  differingFields,
  type ReactivateRequest,
} from '../../../src/domain/orders/compare.ts';
import {
  alice,
  anAttempt,
  catalogProductId,
  job,
  key,
  moment,
  operatorId,
  orderId,
} from '../../support/values.ts';

const routing: Routing = {
  operatorId: operatorId(3),
  minPrice: rupiah(1_000),
  policy: 'BEST_SUCCESS',
  preferProvider: 'acme',
};
const bound = anAttempt({
  request: {
    kind: 'CREATE',
    catalogProductId: catalogProductId(88),
    quantity: 2,
    maxUnitPrice: rupiah(6_000),
    routing,
  },
  idempotencyKey: key('key-1'),
  reviewThresholdAt: moment(1_000),
});
const same: CreateRequest = {
  kind: 'CREATE',
  caller: alice,
  businessJobId: job('job-1'),
  catalogProductId: catalogProductId(88),
  quantity: 2,
  maxUnitPrice: rupiah(6_000),
  routing,
  idempotencyKey: key('key-1'),
  reviewThresholdAt: moment(1_000),
};
const leftOut = {
  quantity: null,
  maxUnitPrice: null,
  routing: null,
  idempotencyKey: null,
  reviewThresholdAt: null,
} as const;

describe('a job asked for again', () => {
  it.each<[string, Partial<CreateRequest>, string[]]>([
    ['the same', {}, []],
    ['all that may be left out left out', leftOut, []],
    ['another product', { catalogProductId: catalogProductId(89) }, ['catalogProductId']],
    ['another quantity', { quantity: 3 }, ['quantity']],
    ['another bound', { maxUnitPrice: rupiah(6_001) }, ['maxUnitPrice']],
    ['another key', { idempotencyKey: key('key-2') }, ['idempotencyKey']],
    ['another threshold', { reviewThresholdAt: moment(1_001) }, ['reviewThresholdAt']],
    ['another operator', { routing: { ...routing, operatorId: operatorId(4) } }, ['routing']],
    ['another lowest price', { routing: { ...routing, minPrice: rupiah(1) } }, ['routing']],
    ['another policy', { routing: { ...routing, policy: 'CHEAPEST' } }, ['routing']],
    ['another provider', { routing: { ...routing, preferProvider: 'Acme' } }, ['routing']],
    ['part of the routing left out', { routing: { ...routing, minPrice: null, policy: null } }, []],
    [
      'everything else',
      {
        catalogProductId: catalogProductId(89),
        quantity: 1,
        maxUnitPrice: rupiah(1),
        routing: { ...routing, policy: 'CHEAPEST' },
        idempotencyKey: key('key-2'),
        reviewThresholdAt: moment(0),
      },
      ['catalogProductId', 'quantity', 'maxUnitPrice', 'routing', 'idempotencyKey', 'reviewThresholdAt'],
    ],
  ])('%s', (_, change, differing) => {
    expect(differingFields(bound, { ...same, ...change })).toEqual(differing);
  });

  it('differs in what is given the second time alone', () => {
    const bare = anAttempt();
    const first = { ...same, ...leftOut };
    expect(differingFields(bare, first)).toEqual([]);
    expect(differingFields(bare, { ...first, quantity: 1 })).toEqual([]);
    expect(differingFields(bare, { ...first, maxUnitPrice: rupiah(6_000) })).toEqual(['maxUnitPrice']);
    expect(differingFields(bare, { ...first, routing })).toEqual(['routing']);
    const empty = { operatorId: null, minPrice: null, policy: null, preferProvider: null };
    expect(differingFields(bare, { ...first, routing: empty })).toEqual([]);
    expect(differingFields(bare, { ...first, reviewThresholdAt: moment(5) })).toEqual(['reviewThresholdAt']);
    expect(differingFields(bare, { ...first, reviewThresholdAt: bare.reviewThresholdAt })).toEqual([]);
    expect(differingFields(bare, { ...first, idempotencyKey: bare.idempotencyKey })).toEqual([]);
  });

  it('differs in no more when less of it is said', () => {
    const change = fc.record(
      {
        catalogProductId: fc.constantFrom(catalogProductId(88), catalogProductId(89)),
        quantity: fc.constantFrom(2, 3),
        maxUnitPrice: fc.constantFrom(rupiah(6_000), rupiah(7_000)),
        idempotencyKey: fc.constantFrom(key('key-1'), key('key-2')),
        reviewThresholdAt: fc.constantFrom(moment(1_000), moment(2_000)),
      },
      { requiredKeys: [] },
    );
    const silenced = fc.subarray([
      'quantity',
      'maxUnitPrice',
      'idempotencyKey',
      'reviewThresholdAt',
    ] as const);
    fc.assert(
      fc.property(change, silenced, (said, names) => {
        const full = differingFields(bound, { ...same, ...said });
        const silent = Object.fromEntries(names.map((name) => [name, null]));
        const less = differingFields(bound, { ...same, ...said, ...silent });
        expect(less).toEqual(full.filter((name) => !names.some((silence) => silence === name)));
      }),
    );
  });
});

describe('a reactivation asked for again', () => {
  const attempt = anAttempt({ request: { kind: 'REACTIVATE', orderId: orderId(7), maxCost: rupiah(5_000) } });
  const again: ReactivateRequest = {
    kind: 'REACTIVATE',
    caller: alice,
    businessJobId: job('job-1'),
    orderId: orderId(7),
    maxCost: rupiah(5_000),
    idempotencyKey: null,
    reviewThresholdAt: null,
  };

  it.each<[string, Partial<ReactivateRequest>, string[]]>([
    ['the same', {}, []],
    ['another order', { orderId: orderId(8) }, ['orderId']],
    ['another bound', { maxCost: rupiah(5_001) }, ['maxCost']],
    ['another key', { idempotencyKey: key('key-2') }, ['idempotencyKey']],
  ])('%s', (_, change, differing) => {
    expect(differingFields(attempt, { ...again, ...change })).toEqual(differing);
  });

  it('is another thing than a create under the same job, both ways', () => {
    expect(differingFields(attempt, { ...same, ...leftOut })).toEqual(['catalogProductId', 'quantity']);
    expect(differingFields(bound, { ...again, idempotencyKey: key('x') })).toEqual([
      'orderId',
      'maxCost',
      'idempotencyKey',
    ]);
  });
});
