import { describe, expect, it } from 'vitest';
import { requestFromJson } from '../../src/store/request-json.ts';

const create = { kind: 'CREATE', catalogProductId: 7, quantity: 1, maxUnitPrice: null, routing: null };
const routing = { operatorId: null, minPrice: null, policy: null, preferProvider: null };

describe('a stored request', () => {
  it.each([
    create,
    { ...create, maxUnitPrice: 5, routing },
    { ...create, routing: { operatorId: 3, minPrice: 4, policy: 'BEST_SUCCESS', preferProvider: 'x' } },
    { kind: 'REACTIVATE', orderId: 5, maxCost: 9 },
  ])('is read: %j', (request) => {
    expect(requestFromJson(JSON.stringify(request))).toEqual(request);
  });

  it.each([
    '',
    'null',
    '7',
    '"CREATE"',
    '{"kind":"CREATE"',
    ...[
      {},
      [],
      { ...create, kind: 'OTHER' },
      { ...create, catalogProductId: '7' },
      { ...create, quantity: 1.5 },
      { ...create, maxUnitPrice: 2 ** 53 },
      { ...create, routing: 'x' },
      { ...create, routing: { ...routing, policy: 'WORST' } },
      { ...create, routing: { ...routing, preferProvider: 7 } },
      { ...create, routing: {} },
      { kind: 'REACTIVATE', orderId: 5 },
      { kind: 'REACTIVATE', orderId: true, maxCost: 9 },
    ].map((value) => JSON.stringify(value)),
  ])('is nothing where it is damaged: %s', (json) => {
    expect(requestFromJson(json)).toBeNull();
  });
});
