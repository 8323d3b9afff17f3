import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/domain/time.ts';
import { answered } from '../support/fake-upstream.ts';
import { anyOrder, fakeSupplier, supplierOrderId } from './support.ts';

const page = { limit: 500, offset: 1_000 };

async function read(orders: string | readonly unknown[]) {
  const body = typeof orders === 'string' ? `{"orders":[${orders}]}` : { orders };
  const upstream = fakeSupplier(() => answered(200, body));
  const reply = await upstream.api.orders(anyOrder, page);
  if (reply.kind !== 'read') throw new Error(`not read: ${reply.kind}`);
  return { ...reply.value, lines: upstream.lines };
}

const bare = {
  id: 'a1',
  quantity: 2,
  status: null,
  paymentStatus: null,
  productType: null,
  entityType: null,
  subCategory: null,
  deliveredCount: null,
  lastProcessTime: null,
  externalId: null,
  externalPrice: null,
  createdAt: null,
};

describe('an order', () => {
  it('is read whole', async () => {
    const { orders, lines } = await read([
      {
        id: '65f0c1a2b3',
        quantity: 3,
        status: 'processing',
        paymentStatus: 'partial',
        productType: 'manual',
        entityType: 'account',
        subCategory: 'gmail',
        createdAt: '2026-03-16T10:30:00.000Z',
        lastProcessTime: '2026-03-16T16:00:00+05:30',
        external_id: 'SUP-1',
        external_price: '1.50',
        deliveredCount: 1,
      },
    ]);
    expect(orders).toEqual([
      {
        id: '65f0c1a2b3',
        quantity: 3,
        status: 'PROCESSING',
        paymentStatus: 'PARTIAL',
        productType: 'MANUAL',
        entityType: 'account',
        subCategory: 'gmail',
        createdAt: Date.UTC(2026, 2, 16, 10, 30),
        lastProcessTime: Date.UTC(2026, 2, 16, 10, 30),
        externalId: 'SUP-1',
        externalPrice: '1.50',
        deliveredCount: 1,
      },
    ]);
    expect(lines).toEqual([]);
  });

  it('needs its id and quantity alone', async () => {
    const nulls = Object.fromEntries(Object.keys(bare).map((key) => [key, null]));
    const { orders, received, lines } = await read([
      { id: 'a1', quantity: 2 },
      { ...nulls, external_id: null, external_price: null, id: 'a2', quantity: 0 },
      { id: 17, quantity: 1, more: { of: ['it'] } },
    ]);
    expect(orders).toEqual([bare, { ...bare, id: 'a2', quantity: 0 }, { ...bare, id: '17', quantity: 1 }]);
    expect(received).toBe(3);
    expect(lines).toEqual([]);
  });

  it('has null for what is of a wrong type', async () => {
    const { orders, lines } = await read([
      {
        id: 'a1',
        quantity: 2,
        status: 7,
        paymentStatus: ['completed'],
        productType: {},
        entityType: { name: 'account' },
        subCategory: 1,
        deliveredCount: '1',
        lastProcessTime: 1_790_000_000_000,
        external_id: 5,
        external_price: true,
        createdAt: '2026-03-16T10:30:00',
      },
      { id: 'a2', quantity: 2, deliveredCount: -1, createdAt: '2026-02-30T00:00:00Z' },
    ]);
    expect(orders).toEqual([bare, { ...bare, id: 'a2' }]);
    expect(lines).toEqual([]);
  });

  it.each([
    ['1.50', '1.50'],
    ['12', '12'],
    ['-0.1', '-0.1'],
    ['12345678901234567890', '12345678901234567890'],
    ['""', ''],
    ['"IDR 5"', 'IDR 5'],
  ])('keeps the price %s as it was written', async (written, kept) => {
    const { orders } = await read(`{"id":"a1","quantity":2,"external_price":${written}}`);
    expect(orders[0]?.externalPrice).toBe(kept);
  });

  it('is UNKNOWN in what is of a new kind, which is told once per value, and not at length', async () => {
    const odd = { quantity: 1, status: 'in_review', paymentStatus: 'x'.repeat(100_000), productType: 'AUTO' };
    const upstream = fakeSupplier(() =>
      answered(200, { orders: ['a1', 'a2'].map((id) => ({ ...odd, id })) }),
    );
    await upstream.api.pull(10);
    const reply = await upstream.api.orders(anyOrder, page);
    expect(reply.kind === 'read' && reply.value.orders[1]).toMatchObject({
      status: 'UNKNOWN',
      paymentStatus: 'UNKNOWN',
      productType: 'AUTO',
    });
    expect(upstream.lines).toEqual([
      {
        level: 'warn',
        message: 'the supplier API sent a value of a new kind',
        fields: { field: 'status', value: 'in_review' },
      },
      {
        level: 'warn',
        message: 'the supplier API sent a value of a new kind',
        fields: { field: 'paymentStatus', value: 'x'.repeat(64) },
      },
    ]);
  });

  it('of endless new kinds fills neither the log nor the memory', async () => {
    const orders = Array.from({ length: 500 }, (_, i) => ({ id: `a${i}`, quantity: 1, status: `new-${i}` }));
    const { lines } = await read(orders);
    expect(lines).toHaveLength(200);
  });
});

describe('a page', () => {
  it.each([
    [{ quantity: 1 }],
    [{ id: 'a9' }],
    [{ id: null, quantity: 1 }],
    [{ id: '', quantity: 1 }],
    [{ id: 'a b', quantity: 1 }],
    [{ id: '..', quantity: 1 }],
    [{ id: '.', quantity: 1 }],
    [{ id: 'a9', quantity: null }],
    [{ id: 'a9', quantity: -1 }],
    [{ id: 'a9', quantity: 1.5 }],
    [{ id: 'a9', quantity: '1' }],
    [{ id: 'a9', quantity: true }],
    [{ id: 'a9', quantity: 2 ** 31 }],
    ['a9'],
    [null],
    [[]],
  ])('is read without %j, which still counts as received', async (broken) => {
    const { orders, received, lines } = await read([{ id: 'a1', quantity: 2 }, broken]);
    expect(orders).toEqual([bare]);
    expect(received).toBe(2);
    expect(lines).toMatchObject([
      { level: 'warn', fields: { operation: 'orders', leftOut: 1, received: 2 } },
    ]);
  });

  it('takes the last of two elements with one id, and counts both', async () => {
    const { orders, received } = await read([
      { id: 'a1', quantity: 1 },
      { id: 'a1', quantity: 2 },
    ]);
    expect(orders).toEqual([bare]);
    expect(received).toBe(2);
  });

  it('B9: keys of the prototype are keys like any other', async () => {
    const { orders } = await read(
      '{"__proto__":{"status":"pending"},"id":"a1","quantity":2,"constructor":1}',
    );
    expect(orders).toEqual([bare]);
  });

  it('may be large', async () => {
    const upstream = fakeSupplier(() => answered(200, { orders: [] }));
    await upstream.api.orders(anyOrder, page);
    await upstream.api.pull(500);
    expect(upstream.calls.map(({ mostBytes }) => mostBytes)).toEqual([2 ** 24, 2 ** 24]);
  });
});

describe('what is asked for', () => {
  it('stands in the query, and what is not said does not', async () => {
    const upstream = fakeSupplier(() => answered(200, { orders: [] }));
    await upstream.api.orders(anyOrder, { limit: 10, offset: 0 });
    await upstream.api.orders(
      {
        statuses: ['PENDING', 'PROCESSING'],
        paymentStatuses: ['PARTIAL'],
        productTypes: [],
        entityType: 'a&b=c',
        subCategory: '',
        createdFrom: instant(0),
        createdTo: instant(1),
      },
      { limit: 500, offset: 1_500 },
    );
    expect(upstream.calls.map(({ url }) => url)).toEqual([
      'https://supplier.example/v2/orders?limit=10&offset=0',
      'https://supplier.example/v2/orders?status=pending%2Cprocessing&paymentStatus=partial&entityType=a%26b%3Dc' +
        '&createdFrom=1970-01-01T00%3A00%3A00.000Z&createdTo=1970-01-01T00%3A00%3A00.001Z&limit=500&offset=1500',
    ]);
  });

  it('of a lease names the instant, or null', async () => {
    const upstream = fakeSupplier(() => answered(200, {}));
    const id = supplierOrderId('a/1?x=#');
    expect(await upstream.api.setLastProcessTime(id, instant(1_000))).toMatchObject({
      kind: 'read',
      value: null,
    });
    await upstream.api.setLastProcessTime(id, null);
    expect(upstream.calls.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'PATCH https://supplier.example/v2/orders/a%2F1%3Fx%3D%23/last-process-time {"lastProcessTime":"1970-01-01T00:00:01.000Z"}',
      'PATCH https://supplier.example/v2/orders/a%2F1%3Fx%3D%23/last-process-time {"lastProcessTime":null}',
    ]);
  });
});
