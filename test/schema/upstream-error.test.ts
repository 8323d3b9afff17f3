import { describe, expect, it } from 'vitest';
import type { UpstreamFault } from '../../src/ports/numbers-api.ts';
import { anOrder } from '../support/values.ts';
import { createWorld } from './support/world.ts';

type Extensions = Readonly<Record<string, unknown>>;

const faults: [fault: UpstreamFault, expected: Extensions][] = [
  [{ kind: 'not-configured' }, { code: 'UPSTREAM_NOT_CONFIGURED', side: 'buyer' }],
  [{ kind: 'unauthorized', httpStatus: 401 }, { code: 'UPSTREAM_UNAUTHORIZED' }],
  [
    { kind: 'throttled', retryAfterSeconds: 7 },
    { code: 'UPSTREAM_UNAVAILABLE', retryAfterMs: 7_000 },
  ],
  [{ kind: 'throttled', retryAfterSeconds: null }, { code: 'UPSTREAM_UNAVAILABLE' }],
  [
    { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: 30 },
    { code: 'UPSTREAM_UNAVAILABLE', retryAfterMs: 30_000 },
  ],
  [{ kind: 'unavailable', httpStatus: null, retryAfterSeconds: null }, { code: 'UPSTREAM_UNAVAILABLE' }],
  [{ kind: 'malformed', httpStatus: 200 }, { code: 'UPSTREAM_MALFORMED' }],
  [{ kind: 'refused', httpStatus: 422, code: 'VALIDATION_ERROR' }, { code: 'UPSTREAM_UNAVAILABLE' }],
];

const documents: [what: string, document: string][] = [
  ['the catalog', '{ catalogProducts { totalCount } }'],
  ['the catalog as a whole', '{ catalogFacets { countries { id } } }'],
  ['a product', '{ catalogProduct(catalogProductId: 88) { id } }'],
  ['a fresh product', '{ catalogProduct(catalogProductId: 88, refresh: true) { id } }'],
  ['countries', '{ countries { id } }'],
  ['services', '{ services { id } }'],
  ['operators', '{ operators(countryId: 6, platformId: 1) { code } }'],
  ['a rate', '{ exchangeRate { rate } }'],
  ['a balance', '{ balance { amount } }'],
  ['an order read anew', '{ order(id: 7, refresh: true) { id } }'],
  [
    'a create',
    'mutation { createOrder(input: { businessJobId: "j", catalogProductId: 88 }) { __typename } }',
  ],
];

function worldOf(fault: UpstreamFault) {
  const answer = (): Promise<UpstreamFault> => Promise.resolve(fault);
  const world = createWorld({
    numbers: {
      products: answer,
      countries: answer,
      services: answer,
      operators: answer,
      exchangeRate: answer,
      balance: answer,
      order: answer,
    },
  });
  world.rows.orders = [anOrder()];
  return world;
}

describe.each(faults)('an upstream that is %o', (fault, expected) => {
  it.each(documents)('is told to who asks for %s', async (_what, document) => {
    const { extensions } = await worldOf(fault).ask(document);
    expect(extensions).toEqual([expected]);
  });

  it('is told to who subscribes to a balance that was never read', async () => {
    const { stream, errors } = await worldOf(fault).follow('subscription { balanceChanged { amount } }');
    expect(stream).toBeNull();
    expect(errors).toEqual([expected['code']]);
  });
});
