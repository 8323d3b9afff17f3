import { describe, expect, it } from 'vitest';
import type { SupplierOrder } from '../../../src/domain/supplier/order.ts';
import type { HttpCall } from '../../../src/upstream/http.ts';
import { alice, bob, moment, start, supplierOrderId } from '../../support/values.ts';
import { type Facts, judge } from './judge.ts';
import type { PlatformOrder } from './platform.ts';
import { createWire } from './wire.ts';

// What looks at histories is looked at itself: each rule is broken once, and must be found.

const order: PlatformOrder = {
  id: 'SO',
  quantity: 2,
  status: 'completed',
  isHidden: false,
  foreign: false,
  lines: ['a:1', 'b:2'],
};
const kept: SupplierOrder = {
  id: supplierOrderId('SO'),
  quantity: 2,
  status: 'COMPLETED',
  paymentStatus: null,
  productType: null,
  entityType: null,
  subCategory: null,
  lastProcessTime: null,
  externalId: null,
  externalPrice: null,
  createdAt: null,
  deliveredCount: 2,
  claimedAt: start,
  claimedBy: alice,
  claimSequence: 1,
  completedAt: start,
  asOf: start,
};
const sound: Facts = {
  orders: [order],
  claims: ['SO'],
  kept: [kept],
  deliveries: [],
  handed: [{ order: 'SO', caller: 'alice' }],
  told: new Map([
    ['alice', [kept]],
    ['bob', []],
  ]),
  promised: new Map([['SO', ['a:1', 'b:2']]]),
};

describe('the judge', () => {
  it('has nothing to say of a sound history', () => {
    expect(judge(sound)).toEqual([]);
  });

  it.each<readonly [string, Partial<Facts>, string]>([
    ['a forgotten claim', { kept: [{ ...kept, claimedAt: null, claimedBy: null }] }, 'is forgotten'],
    ['a claim made up', { claims: [] }, 'was never claimed'],
    ['a doubled claim', { claims: ['SO', 'SO'] }, 'was claimed twice'],
    ['an order handed to two', { handed: [...sound.handed, { order: 'SO', caller: 'bob' }] }, 'out twice'],
    ['an order handed to another', { handed: [{ order: 'SO', caller: 'bob' }] }, "it is alice's"],
    ['a claim told twice', { told: new Map([['alice', [kept, kept]]]) }, 'alice was told'],
    ['a claim not told', { told: new Map([['alice', []]]) }, 'alice was told'],
    ["another's claim told", { told: new Map([[bob, [kept]]]) }, 'bob was told'],
    ['a line stored twice', { orders: [{ ...order, lines: ['a:1', 'A:1'] }] }, 'stored twice'],
    ['a line too many', { orders: [{ ...order, quantity: 1 }] }, '2 lines of 1'],
    ['an order closed too soon', { orders: [{ ...order, lines: ['a:1'] }] }, 'completed with 1 of 2'],
    ['a full order left open', { orders: [{ ...order, status: 'processing' }] }, 'processing with 2 of 2'],
    ['a full order left open here', { kept: [{ ...kept, status: 'PROCESSING' }] }, 'PROCESSING here'],
    ['a line counted wrongly', { kept: [{ ...kept, deliveredCount: 1 }] }, '1 lines of SO are counted'],
    ['a line lost', { promised: new Map([['SO', ['a:1', 'b:2', 'c:3']]]) }, 'accepted were a:1 b:2 c:3'],
  ])('finds %s', (_what, change, found) => {
    expect(judge({ ...sound, ...change }).join('\n')).toContain(found);
  });
});

describe('the wire', () => {
  function watched() {
    const violations: string[] = [];
    const clock = { now: start };
    const wire = createWire({
      now: () => clock.now,
      order: () => ({ ...order, status: 'processing', lines: ['a:1'] }),
      deliveries: async () => [],
      isPunctual: true,
      violate: (what) => violations.push(what),
    });
    return { wire, violations, clock };
  }
  const read: HttpCall = {
    operation: 'orders',
    method: 'GET',
    url: 'http://127.0.0.1/api/admin/v2/orders',
    token: null,
    deadline: moment(15_000),
  };
  const update = (status: string, ...accounts: readonly string[]): HttpCall => ({
    ...read,
    operation: 'orders-update',
    method: 'POST',
    url: 'http://127.0.0.1/api/admin/v2/orders-update',
    body: JSON.stringify({ order: 'SO', status, accounts }),
  });

  it('finds a third call at once', async () => {
    const { wire, violations } = watched();
    for (let n = 0; n < 3; n++) await wire.sent({ ...read });
    expect(violations).toEqual(['limit: orders leaves beside orders,orders']);
  });

  it('finds updates that are too close, and two deliveries on an order at once', async () => {
    const { wire, violations, clock } = watched();
    await wire.sent(update('completed', 'b:2'));
    clock.now = moment(199);
    await wire.sent(update('completed', 'b:2'));
    expect(violations).toContain('limit: orders-update leaves 199 ms after the last one');
    expect(violations).toContain('two deliveries on SO overlap');
  });

  it.each([
    ['bytes that are not stored', update('completed', 'b:2'), 'bytes that are not stored'],
    ['a line that is there already', update('completed', 'A:1', 'b:2'), 'delivered twice'],
    [
      'more lines than were ordered',
      update('completed', 'b:2', 'c:3'),
      '3 lines leave for SO, which wants 2',
    ],
    ['an order closed too soon', update('completed', 'a:1'), 'completed with 1 of 2'],
    ['lines that are not as they are stored', update('completed', ' b:2'), 'would not store them'],
  ])('finds %s', async (_what, call, found) => {
    const { wire, violations } = watched();
    await wire.sent(call);
    expect(violations.join('\n')).toContain(found);
  });
});
